// Scalars in protobuf's JSON as Envoy 1.40 reads them: numbers and booleans may be texts, enums may be numbers, and
// durations may be messages. Source: json/internal/parser.cc of protobuf with its legacy syntax, and a live Envoy 1.40.
#pragma once

#include <optional>
#include <string_view>

#include "models/documents/node.hpp"
#include "models/envoy/api/api_tables.hpp"

namespace spillway::api {

// Returns a number, also one in a text ("1.5", "1e2", "0x1f"); nullopt if it is none.
[[nodiscard]] std::optional<double> number_of(const documents::Node& node);

// Returns seconds, from "1.5s" or {"seconds": 1, "nanos": 500000000}; nullopt if it is no duration.
[[nodiscard]] std::optional<double> seconds_of(const documents::Node& node);

// Returns the number of an enum's value, by its name or its number; nullopt if there is no value of this name.
[[nodiscard]] std::optional<double> enum_number_of(const documents::Node& node, const ApiEnum& type);

// Returns a boolean, also one in a text ("true", "yes", "1"); nullopt if it is none.
[[nodiscard]] std::optional<bool> boolean_of(const documents::Node& node);

// Returns what a value of this kind must be ("a whole number from 0 to 4294967295"), or nothing if it is one.
// Precondition: the kind is not a message or an enum.
[[nodiscard]] std::string_view fault_of(const documents::Node& node, Kind kind);

// True for letters of base64 or base64url, with or without padding.
[[nodiscard]] bool is_base64(std::string_view text) noexcept;
// Returns the bytes of base64 in either alphabet, with padding or without; "" for any other text.
[[nodiscard]] std::string bytes_of_base64(std::string_view text);

}  // namespace spillway::api
