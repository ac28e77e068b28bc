#include "reports/text/percent.hpp"

#include <array>
#include <cmath>
#include <fmt/format.h>

namespace spillway::reports {

namespace {

// Tolerance of halves. Exact shares are sums of quotients of small integers, so doubles are off by about 1e-13 of a
// percentage. True values that are not halves are further than this from one, for clusters of less than a million
// hosts.
constexpr double half_slack = 1e-9;

double power_of_ten(int decimals) {
  double power = 1.0;
  for (int i = 0; i < decimals; ++i) {
    power *= 10.0;
  }
  return power;
}

std::string without_trailing_zeros(std::string digits) {
  if (digits.find('.') == std::string::npos) {
    return digits;
  }
  digits.erase(digits.find_last_not_of('0') + 1);
  if (digits.back() == '.') {
    digits.pop_back();
  }
  return digits;
}

std::string two_decimals(std::int64_t hundredths) {
  return fmt::format("{}.{:02}", hundredths / 100, hundredths % 100);
}

}  // namespace

std::int64_t round_half_up(double value, int decimals) {
  return static_cast<std::int64_t>(std::floor(value * power_of_ten(decimals) + 0.5 + half_slack));
}

std::string natural_percentage(double percentage) {
  constexpr double nothing = 1e-10;
  const std::int64_t hundredths = round_half_up(percentage, 2);
  if (hundredths == 0 && percentage > nothing) {
    return "<0.01";
  }
  if (hundredths == 10000 && percentage < 100.0 - nothing) {
    return ">99.99";
  }
  return without_trailing_zeros(two_decimals(hundredths));
}

std::string exact_percent(double fraction) {
  return natural_percentage(fraction * 100.0) + " %";
}

std::string simulated_percent(double fraction) {
  return two_decimals(round_half_up(fraction * 100.0, 2));
}

std::string with_thousands(std::uint64_t count) {
  std::string digits = std::to_string(count);
  for (std::size_t from_end = 3; from_end < digits.size(); from_end += 4) {
    digits.insert(digits.size() - from_end, ",");
  }
  return digits;
}

std::string duration_text(double seconds) {
  struct Unit {
    double seconds;
    const char* name;
  };
  constexpr std::array<Unit, 4> units{{{1.0, "s"}, {1e-3, "ms"}, {1e-6, "us"}, {1e-9, "ns"}}};
  for (const Unit& unit : units) {
    // 0.9995 and more of a unit is printed as one of it.
    if (seconds < unit.seconds * 0.9995) {
      continue;
    }
    const double amount = seconds / unit.seconds;
    const int decimals = amount >= 99.95 ? 0 : amount >= 9.995 ? 1 : 2;
    const double scale = power_of_ten(decimals);
    const double rounded = static_cast<double>(round_half_up(amount, decimals)) / scale;
    return without_trailing_zeros(fmt::format("{:.{}f}", rounded, decimals)) + " " + unit.name;
  }
  return "0 s";
}

std::string bytes_text(double bytes) {
  constexpr std::array<const char*, 6> units{"B", "kB", "MB", "GB", "TB", "PB"};
  std::size_t unit = 0;
  while (bytes >= 999.5 && unit + 1 < units.size()) {
    bytes /= 1000.0;
    ++unit;
  }
  const int decimals = bytes >= 99.95 ? 0 : bytes >= 9.995 ? 1 : 2;
  const double rounded = static_cast<double>(round_half_up(bytes, decimals)) / power_of_ten(decimals);
  return without_trailing_zeros(fmt::format("{:.{}f}", rounded, decimals)) + " " + units[unit];
}

std::string shortest(double number) {
  return fmt::format("{}", number);
}

}  // namespace spillway::reports
