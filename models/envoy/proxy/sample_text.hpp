// Generates texts that match a matcher, for sample requests.
//
//   sample_of_regex("/v[12]/users/\\d+");   // "/v1/users/0"
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "models/documents/node.hpp"

namespace spillway::proxy {

// Returns a text for a regular expression that must match as a whole: the shortest repetition, and the first of
// alternatives. Unsupported parts (assertions, back references) are ignored, so the caller must verify the match.
// Linear.
[[nodiscard]] std::string sample_of_regex(std::string_view regex);

// Returns a text for a StringMatcher; nullopt if its form is unknown.
[[nodiscard]] std::optional<std::string> sample_of_string(const documents::Node& matcher);

// Returns a value for a HeaderMatcher that requires its header; nullopt if the header must be absent or is optional.
[[nodiscard]] std::optional<std::string> sample_of_header(const documents::Node& matcher);

}  // namespace spillway::proxy
