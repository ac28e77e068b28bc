#include "models/documents/grammar/scalars.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <cstddef>

namespace spillway::grammar {
namespace {

struct Unit {
  std::string_view name;
  std::uint64_t nanoseconds;
  std::size_t whole_digits;
  std::size_t decimals;
};

// The units, each with its largest number of digits, so that digits * nanoseconds stays below 10^18 and the last
// decimal is a whole nanosecond.
constexpr std::array<Unit, 6> units = {{{"ns", 1, 18, 0},
                                        {"us", 1'000, 15, 3},
                                        {"ms", 1'000'000, 12, 6},
                                        {"s", 1'000'000'000, 9, 9},
                                        {"m", 60'000'000'000, 7, 9},
                                        {"h", 3'600'000'000'000, 5, 9}}};

std::string digits_pattern(std::size_t whole, std::size_t decimals) {
  std::string pattern = "[0-9]{1," + std::to_string(whole) + "}";
  if (decimals > 0) {
    pattern += "(\\.[0-9]{1," + std::to_string(decimals) + "})?";
  }
  return pattern;
}

struct Decimal {
  std::string_view whole;
  std::string_view fraction;
  std::string_view rest;
};

std::size_t leading_digits(std::string_view text) {
  return static_cast<std::size_t>(
      std::find_if_not(text.begin(), text.end(), [](char c) { return c >= '0' && c <= '9'; }) - text.begin());
}

// Parses `<digits>[.<digits>]` at the start of a text; nullopt if the text does not begin so.
std::optional<Decimal> split_decimal(std::string_view text) {
  Decimal decimal;
  const std::size_t whole = leading_digits(text);
  decimal.whole = text.substr(0, whole);
  decimal.rest = text.substr(whole);
  if (whole == 0) {
    return std::nullopt;
  }
  if (decimal.rest.starts_with('.')) {
    const std::size_t digits = leading_digits(decimal.rest.substr(1));
    if (digits == 0) {
      return std::nullopt;
    }
    decimal.fraction = decimal.rest.substr(1, digits);
    decimal.rest.remove_prefix(digits + 1);
  }
  return decimal;
}

std::uint64_t to_number(std::string_view digits) {
  std::uint64_t value = 0;
  std::from_chars(digits.data(), digits.data() + digits.size(), value);
  return value;
}

// Returns the fraction in units of 10^-9.
std::uint64_t billionths(std::string_view fraction) {
  std::uint64_t value = to_number(fraction);
  for (std::size_t i = fraction.size(); i < 9; ++i) {
    value *= 10;
  }
  return value;
}

std::optional<Nanoseconds> in_unit(const Decimal& decimal, const Unit& unit) {
  if (decimal.whole.size() > unit.whole_digits || decimal.fraction.size() > unit.decimals) {
    return std::nullopt;
  }
  // Both products stay below 10^18. Digits beyond the unit's resolution were refused above.
  const std::uint64_t whole = to_number(decimal.whole) * unit.nanoseconds;
  std::uint64_t part = 0;
  if (!decimal.fraction.empty()) {
    const std::uint64_t seconds_scale = std::max<std::uint64_t>(1, unit.nanoseconds / 1'000'000'000);
    part = unit.nanoseconds >= 1'000'000'000 ? billionths(decimal.fraction) * seconds_scale
                                             : billionths(decimal.fraction) / (1'000'000'000 / unit.nanoseconds);
  }
  return Nanoseconds{static_cast<std::int64_t>(whole + part)};
}

}  // namespace

std::optional<Nanoseconds> read_duration(std::string_view text) {
  const auto decimal = split_decimal(text);
  if (!decimal) {
    return std::nullopt;
  }
  for (const Unit& unit : units) {
    if (decimal->rest == unit.name) {
      return in_unit(*decimal, unit);
    }
  }
  return std::nullopt;
}

const std::string& duration_pattern() {
  static const std::string pattern = [] {
    std::string alternatives;
    for (const Unit& unit : units) {
      alternatives += alternatives.empty() ? "(" : "|";
      alternatives += digits_pattern(unit.whole_digits, unit.decimals) + std::string(unit.name);
    }
    return alternatives + ")";
  }();
  return pattern;
}

std::optional<Nanoseconds> read_proto_duration(std::string_view text) {
  return text.ends_with('s') && !text.ends_with("ns") && !text.ends_with("us") && !text.ends_with("ms")
             ? read_duration(text)
             : std::nullopt;
}

std::string proto_duration_text(Nanoseconds duration) {
  constexpr std::int64_t in_a_second = 1'000'000'000;
  const std::string whole = std::to_string(duration.count() / in_a_second);
  std::string fraction = std::to_string(duration.count() % in_a_second);
  fraction.insert(0, 9 - fraction.size(), '0');
  fraction.erase(fraction.find_last_not_of('0') + 1);
  return whole + (fraction.empty() ? "" : "." + fraction) + "s";
}

const std::string& proto_duration_pattern() {
  static const std::string pattern = digits_pattern(9, 9) + "s";
  return pattern;
}

namespace {

// Parses a number with at most 9 digits on either side of the point, followed by this unit.
std::optional<double> read_in(std::string_view unit, std::string_view text) {
  const auto decimal = split_decimal(text);
  if (!decimal || decimal->rest != unit || decimal->whole.size() > 9 || decimal->fraction.size() > 9) {
    return std::nullopt;
  }
  double value = 0.0;
  std::from_chars(text.data(), text.data() + text.size() - unit.size(), value);
  return value;
}

}  // namespace

std::optional<double> read_rate(std::string_view text) {
  return read_in("rps", text);
}

const std::string& rate_pattern() {
  static const std::string pattern = digits_pattern(9, 9) + "rps";
  return pattern;
}

std::optional<double> read_bandwidth(std::string_view text) {
  for (const auto& [unit, bits] : {std::pair("bps", 1.0), std::pair("kbps", 1e3), std::pair("Mbps", 1e6),
                                   std::pair("Gbps", 1e9), std::pair("Tbps", 1e12)}) {
    if (const auto value = read_in(unit, text)) {
      return *value * bits;
    }
  }
  return std::nullopt;
}

const std::string& bandwidth_pattern() {
  static const std::string pattern = digits_pattern(9, 9) + "[kMGT]?bps";
  return pattern;
}

std::optional<double> read_price(std::string_view text, std::string_view unit) {
  return read_in("/" + std::string(unit), text);
}

std::string price_pattern(std::string_view unit) {
  return digits_pattern(9, 9) + "/" + std::string(unit);
}

std::optional<ExactPercent> read_percent(std::string_view text) {
  const auto decimal = split_decimal(text);
  if (!decimal || decimal->rest != "%" || decimal->whole.size() > 3 || decimal->fraction.size() > 9) {
    return std::nullopt;
  }
  constexpr std::uint64_t hundred = 100'000'000'000;
  const std::uint64_t value = to_number(decimal->whole) * 1'000'000'000 + billionths(decimal->fraction);
  // Three digits are allowed only for 100, as in the pattern.
  if (value > hundred || (decimal->whole.size() == 3 && value != hundred)) {
    return std::nullopt;
  }
  return ExactPercent{value};
}

const std::string& percent_pattern() {
  static const std::string pattern = "(100(\\.0{1,9})?|[0-9]{1,2}(\\.[0-9]{1,9})?)%";
  return pattern;
}

std::optional<std::uint32_t> read_count(std::string_view text) {
  if (text.empty() || text.size() > 9 || leading_digits(text) != text.size()) {
    return std::nullopt;
  }
  return static_cast<std::uint32_t>(to_number(text));
}

}  // namespace spillway::grammar
