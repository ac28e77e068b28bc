#include "models/documents/number.hpp"

#include <charconv>
#include <cmath>
#include <system_error>

namespace spillway::documents {
namespace {

constexpr double two_to_63 = 9223372036854775808.0;

NumberVerdict read_integer(std::string_view digits, bool negative, Node& node) {
  std::uint64_t magnitude = 0;
  const auto [end, problem] = std::from_chars(digits.data(), digits.data() + digits.size(), magnitude);
  if (problem == std::errc::result_out_of_range) {
    return NumberVerdict::too_large;
  }
  if (problem != std::errc{} || end != digits.data() + digits.size()) {
    return NumberVerdict::not_a_number;
  }
  if (negative && magnitude > std::uint64_t{1} << 63U) {
    return NumberVerdict::too_large;
  }
  node.kind = Kind::integer;
  node.negative = negative && magnitude != 0;
  node.magnitude = magnitude;
  node.number = negative ? -static_cast<double>(magnitude) : static_cast<double>(magnitude);
  return NumberVerdict::fine;
}

}  // namespace

NumberVerdict read_number(std::string_view spelling, Node& node) {
  std::string_view unsigned_part = spelling;
  const bool negative = !spelling.empty() && spelling.front() == '-';
  if (negative || (!spelling.empty() && spelling.front() == '+')) {
    unsigned_part.remove_prefix(1);
  }
  // from_chars accepts a minus sign, so a second sign has to be refused here.
  if (unsigned_part.empty() || unsigned_part.front() == '-' ||
      unsigned_part.find_first_not_of("0123456789.eE+-") != std::string_view::npos) {
    return NumberVerdict::not_a_number;
  }
  node.text = spelling;
  if (unsigned_part.find_first_of(".eE") == std::string_view::npos) {
    return read_integer(unsigned_part, negative, node);
  }
  double value = 0.0;
  const auto [end, problem] = std::from_chars(unsigned_part.data(), unsigned_part.data() + unsigned_part.size(), value);
  if (problem == std::errc::result_out_of_range) {
    return NumberVerdict::too_large;
  }
  if (problem != std::errc{} || end != unsigned_part.data() + unsigned_part.size()) {
    return NumberVerdict::not_a_number;
  }
  node.kind = Kind::number;
  node.number = negative ? -value : value;
  if (value == std::floor(value) && value < two_to_63) {
    node.kind = Kind::integer;
    node.magnitude = static_cast<std::uint64_t>(value);
    node.negative = negative && node.magnitude != 0;
  }
  return NumberVerdict::fine;
}

}  // namespace spillway::documents
