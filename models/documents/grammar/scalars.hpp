// Scalars with units: `1.5s`, `200rps`, `70%`. Each is a reader and the regular expression that accepts the same texts.
#pragma once

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace spillway::grammar {

using Nanoseconds = std::chrono::nanoseconds;

// `<digits>[.<digits>]<unit>` with a unit of ns, us, ms, s, m or h. Only as many digits are allowed as make a whole
// number of nanoseconds below 10^18, about 31 years, so that every accepted text is exact.
[[nodiscard]] std::optional<Nanoseconds> read_duration(std::string_view text);
[[nodiscard]] const std::string& duration_pattern();  // without anchors

// A duration as protobuf's JSON writes it: seconds only, "0.25s".
[[nodiscard]] std::optional<Nanoseconds> read_proto_duration(std::string_view text);
[[nodiscard]] const std::string& proto_duration_pattern();
[[nodiscard]] std::string proto_duration_text(Nanoseconds duration);  // not negative

// `<digits>[.<digits>]rps`, at most 9 digits on either side.
[[nodiscard]] std::optional<double> read_rate(std::string_view text);
[[nodiscard]] const std::string& rate_pattern();

// `<digits>[.<digits>]<unit>` with a unit of bps, kbps, Mbps, Gbps or Tbps, at most 9 digits on either side: bits a
// second.
[[nodiscard]] std::optional<double> read_bandwidth(std::string_view text);
[[nodiscard]] const std::string& bandwidth_pattern();

// `<digits>[.<digits>]/<unit>`, at most 9 digits on either side: money, in whatever currency, for a unit such as GB, h
// or month.
[[nodiscard]] std::optional<double> read_price(std::string_view text, std::string_view unit);
[[nodiscard]] std::string price_pattern(std::string_view unit);

// "70%" or "99.4%", from 0 to 100, with up to 9 decimals; kept as an exact fraction numerator / 10^9 of a percent.
struct ExactPercent {
  std::uint64_t billionths = 0;
  [[nodiscard]] double percent() const { return static_cast<double>(billionths) / 1e9; }
};
[[nodiscard]] std::optional<ExactPercent> read_percent(std::string_view text);
[[nodiscard]] const std::string& percent_pattern();

// A whole number of at most 9 digits.
[[nodiscard]] std::optional<std::uint32_t> read_count(std::string_view text);

}  // namespace spillway::grammar
