// Suggests ("did you mean") valid spellings of texts that should be durations, rates or percentages, and of unknown
// keys. Every suggestion is accepted by the reader. The result is empty if nothing is likely.
//
//   meant_duration("10 seconds")  // "10s"
//   meant_rate("200 req/s")       // "200rps"
//   meant_percent("0.5")          // "50%"
//   meant_key("replicas", {"count", "zone"})  // "count"
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace spillway::grammar {

// Formats a number, without a point if it is whole.
[[nodiscard]] std::string number_text(double value);
// Parses a word that protobuf's JSON accepts as a boolean, in any case: true and false, yes and no, 1 and 0.
[[nodiscard]] std::optional<bool> boolean_of(const std::string& text);

// Suggests a duration for `2min`, `1m30s`, `00:10` or `10 sec`. A plain number is in seconds.
[[nodiscard]] std::string meant_duration(std::string_view text);
// Suggests a rate for `200/s`, `200 req/s`, `200qps`, `2k`, `1200rpm` or a plain number.
[[nodiscard]] std::string meant_rate(std::string_view text);
// Suggests a percentage for `50 %`, `50 percent` or a plain number, which is a fraction if between 0 and 1.
[[nodiscard]] std::string meant_percent(std::string_view text);
// Suggests a memory size with a unit for `2G`, `500M` or `2gb`.
[[nodiscard]] std::string meant_bytes(std::string_view text);

// Returns the key among `known` that other programs call `written`; empty if there is none.
[[nodiscard]] std::string meant_key(std::string_view written, const std::vector<std::string>& known);
// Describes where a key belongs that this object does not have; empty if unknown.
[[nodiscard]] std::string right_place(std::string_view written, const std::vector<std::string>& known);

}  // namespace spillway::grammar
