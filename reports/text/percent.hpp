// Shares as people read them.
//
//   exact_percent(0.8)        "80 %"
//   exact_percent(1.0 / 3.0)  "33.33 %"
//   simulated_percent(0.7988) "79.88"
//
// Rounds half up, the same on every machine; locale has no say.
#pragma once

#include <cstdint>
#include <string>

namespace spillway::reports {

// `value` times 10^decimals, rounded half up. A half that a sum of doubles missed by less than 1e-9 counts as a half.
[[nodiscard]] std::int64_t round_half_up(double value, int decimals);

// Up to two decimals, as many as it takes; never "0 %" for something nor "100 %" for less than all.
[[nodiscard]] std::string exact_percent(double fraction);

// The same of a number that already is a percentage, without the sign: "33.33".
[[nodiscard]] std::string natural_percentage(double percentage);

// Always two decimals, no sign: counted, so its precision says nothing about the share.
[[nodiscard]] std::string simulated_percent(double fraction);

// 40012 as "40,012".
[[nodiscard]] std::string with_thousands(std::uint64_t count);

// Three significant digits and a unit of powers of 1000: "512 B", "1.25 MB".
[[nodiscard]] std::string bytes_text(double bytes);

// Three significant digits and a unit: "4 ms", "1.25 s", "870 us".
[[nodiscard]] std::string duration_text(double seconds);

}  // namespace spillway::reports
