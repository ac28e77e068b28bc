#include "models/kuma/decimal.hpp"

#include <algorithm>
#include <charconv>
#include <cstdint>
#include <limits>
#include <string>
#include <system_error>

namespace spillway::kuma {

namespace {

// Parses an optional sign and at least one digit.
std::optional<std::int64_t> parse_integer(std::string_view text) {
  if (text.starts_with('+')) {
    text.remove_prefix(1);
    if (text.starts_with('-')) {
      return std::nullopt;
    }
  }
  std::int64_t value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || end != text.data() + text.size()) {
    return std::nullopt;
  }
  return value;
}

bool is_int32(std::int64_t value) {
  return value >= std::numeric_limits<std::int32_t>::min() && value <= std::numeric_limits<std::int32_t>::max();
}

// True if digits * 10^exponent > 100. Precondition: `digits` has no leading zero.
bool exceeds_hundred(std::string_view digits, std::int64_t exponent) {
  const std::int64_t whole_digits = static_cast<std::int64_t>(digits.size()) + exponent;
  if (digits.empty() || whole_digits != 3) {
    return !digits.empty() && whole_digits > 3;
  }
  const std::size_t last = digits.find_last_not_of('0');
  return digits.front() != '1' || last != 0;
}

}  // namespace

std::optional<Decimal> parse_decimal(std::string_view text) {
  std::int64_t exponent = 0;
  if (const std::size_t mark = text.find_first_of("eE"); mark != std::string_view::npos) {
    const auto written = parse_integer(text.substr(mark + 1));
    if (!written || !is_int32(*written)) {
      return std::nullopt;
    }
    exponent = *written;
    text = text.substr(0, mark);
  }
  std::string digits(text);
  if (const std::size_t point = digits.find('.'); point != std::string::npos) {
    digits.erase(point, 1);
    exponent -= static_cast<std::int64_t>(digits.size() - point);
  }
  const bool negative = digits.starts_with('-');
  if (negative || digits.starts_with('+')) {
    digits.erase(0, 1);
  }
  const bool only_digits =
      std::all_of(digits.begin(), digits.end(), [](char character) { return character >= '0' && character <= '9'; });
  if (digits.empty() || !only_digits || !is_int32(exponent)) {
    return std::nullopt;
  }
  digits.erase(0, std::min(digits.find_first_not_of('0'), digits.size()));
  if (digits.empty()) {
    return Decimal{};
  }
  Decimal result;
  result.sign = negative ? -1 : 1;
  result.above_hundred = !negative && exceeds_hundred(digits, exponent);
  const std::string scientific = digits + "e" + std::to_string(exponent);
  const auto parsed = std::from_chars(scientific.data(), scientific.data() + scientific.size(), result.value);
  if (parsed.ec == std::errc::result_out_of_range) {
    result.value = result.above_hundred || static_cast<std::int64_t>(digits.size()) + exponent > 0
                       ? std::numeric_limits<double>::infinity()
                       : 0.0;
  }
  result.value = negative ? -result.value : result.value;
  return result;
}

std::optional<Decimal> parse_decimal(const IntOrString& number) {
  if (const auto* const text = std::get_if<std::string>(&number)) {
    return parse_decimal(std::string_view(*text));
  }
  return parse_decimal(std::string_view(std::to_string(std::get<std::int32_t>(number))));
}

}  // namespace spillway::kuma
