// Formats shares and other numbers for people.
//
//   exact_percent(0.8)        "80 %"
//   exact_percent(1.0 / 3.0)  "33.33 %"
//   simulated_percent(0.7988) "79.88"
//
// Rounds half up, identically on every machine and independent of the locale.
#pragma once

#include <cstdint>
#include <string>

namespace spillway::reports {

// Returns `value` times 10^decimals, rounded half up. Values within 1e-9 below a half count as a half, because of
// rounding errors in sums.
[[nodiscard]] std::int64_t round_half_up(double value, int decimals);

// Formats with as many decimals as needed, at most two. Never returns "0 %" for a share above 0 nor "100 %" for one
// below 1.
[[nodiscard]] std::string exact_percent(double fraction);

// Formats like exact_percent(), but takes a percentage and omits the sign: "33.33".
[[nodiscard]] std::string natural_percentage(double percentage);

// Formats with exactly two decimals, without sign: it is a count, whose precision says nothing about the share.
[[nodiscard]] std::string simulated_percent(double fraction);

// Formats 40012 as "40,012".
[[nodiscard]] std::string with_thousands(std::uint64_t count);

// Formats with three significant digits and a unit of powers of 1000: "512 B", "1.25 MB".
[[nodiscard]] std::string bytes_text(double bytes);

// Formats with three significant digits and a unit: "4 ms", "1.25 s", "870 us".
[[nodiscard]] std::string duration_text(double seconds);

// Formats with the fewest digits that read back as the same double: "0.7", "1e-9".
[[nodiscard]] std::string shortest(double number);

}  // namespace spillway::reports
