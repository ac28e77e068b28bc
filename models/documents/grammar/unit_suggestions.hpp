// Suggestions ("did you mean") for texts that are not durations, rates or percentages, and for unknown keys. Each is a
// spelling that is read; empty if nothing is likely.
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

// Without a point where it is whole.
[[nodiscard]] std::string number_text(double value);
// protobuf's JSON takes these words, in any case: true and false, yes and no, 1 and 0.
[[nodiscard]] std::optional<bool> boolean_of(const std::string& text);

// `2min`, `1m30s`, `00:10`, `10 sec`; a number alone is taken for seconds.
[[nodiscard]] std::string meant_duration(std::string_view text);
// `200/s`, `200 req/s`, `200qps`, `2k`, `1200rpm`, a number alone.
[[nodiscard]] std::string meant_rate(std::string_view text);
// `50 %`, `50 percent`, a number alone: above 0 and below 1 a share of one, else percent.
[[nodiscard]] std::string meant_percent(std::string_view text);
// `2G`, `500M`, `2gb`: a memory size with its unit.
[[nodiscard]] std::string meant_bytes(std::string_view text);

// The one of `known` that other programs call `written`; empty if none does.
[[nodiscard]] std::string meant_key(std::string_view written, const std::vector<std::string>& known);
// Where a key stands that is not one of this object, in words; empty if it is not known to be elsewhere.
[[nodiscard]] std::string right_place(std::string_view written, const std::vector<std::string>& known);

}  // namespace spillway::grammar
