// Parses scalars with units: `1.5s`, `200rps`, `70%`. For each there is a regular expression of the same texts.
#pragma once

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace spillway::grammar {

using Nanoseconds = std::chrono::nanoseconds;

// Parses `<digits>[.<digits>]<unit>` with a unit of ns, us, ms, s, m or h. Accepts only as many digits as give a whole
// number of nanoseconds below 10^18 (about 31 years), so that every accepted text is exact.
[[nodiscard]] std::optional<Nanoseconds> read_duration(std::string_view text);
[[nodiscard]] const std::string& duration_pattern();  // without anchors

// Parses a duration in protobuf's JSON, which is in seconds: "0.25s".
[[nodiscard]] std::optional<Nanoseconds> read_proto_duration(std::string_view text);
[[nodiscard]] const std::string& proto_duration_pattern();
[[nodiscard]] std::string proto_duration_text(Nanoseconds duration);  // precondition: not negative

// Parses `<digits>[.<digits>]rps` [requests/s], at most 9 digits on either side of the point.
[[nodiscard]] std::optional<double> read_rate(std::string_view text);
[[nodiscard]] const std::string& rate_pattern();

// Parses `<digits>[.<digits>]<unit>` with a unit of bps, kbps, Mbps, Gbps or Tbps, at most 9 digits on either side of
// the point. Returns [bit/s].
[[nodiscard]] std::optional<double> read_bandwidth(std::string_view text);
[[nodiscard]] const std::string& bandwidth_pattern();

// Parses `<digits>[.<digits>]/<unit>`, at most 9 digits on either side of the point: money, in any currency, per unit,
// such as GB, h or month.
[[nodiscard]] std::optional<double> read_price(std::string_view text, std::string_view unit);
[[nodiscard]] std::string price_pattern(std::string_view unit);

// An exact percentage: "70%" or "99.4%", 0 to 100, up to 9 decimals; kept as numerator / 10^9 of a percent.
struct ExactPercent {
  std::uint64_t billionths = 0;
  [[nodiscard]] double percent() const { return static_cast<double>(billionths) / 1e9; }
};
[[nodiscard]] std::optional<ExactPercent> read_percent(std::string_view text);
[[nodiscard]] const std::string& percent_pattern();

// Parses a whole number of at most 9 digits.
[[nodiscard]] std::optional<std::uint32_t> read_count(std::string_view text);

}  // namespace spillway::grammar
