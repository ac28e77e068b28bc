#include "models/documents/core_schema.hpp"

#include <string>
#include <string_view>

#include "models/documents/number.hpp"
#include "models/documents/problem.hpp"

namespace spillway::documents {
namespace {

void type_based_integer(Node& node, unsigned base, Diagnostics& problems) {
  const std::string digits = node.text.substr(2);
  const std::string_view allowed = base == 16 ? "0123456789abcdefABCDEF" : "01234567";
  if (digits.find_first_not_of(allowed) != std::string::npos) {
    return;
  }
  if (digits.size() > 15) {
    problems.error("SP012", node.span, "number out of range", "at most 15 digits in this base");
    return;
  }
  node.kind = Kind::integer;
  node.magnitude = std::stoull(digits, nullptr, static_cast<int>(base));
  node.number = static_cast<double>(node.magnitude);
}

bool is_infinity_or_nan(std::string_view value) {
  if (value == ".nan" || value == ".NaN" || value == ".NAN") {
    return true;
  }
  if (value.front() == '-' || value.front() == '+') {
    value.remove_prefix(1);
  }
  return value == ".inf" || value == ".Inf" || value == ".INF";
}

}  // namespace

void type_plain_scalar(Node& node, Diagnostics& problems) {
  const std::string& value = node.text;
  if (value == "true" || value == "True" || value == "TRUE" || value == "false" || value == "False" ||
      value == "FALSE") {
    node.kind = Kind::boolean;
    node.boolean = value.front() == 't' || value.front() == 'T';
    return;
  }
  if (is_infinity_or_nan(value)) {
    problems.error("SP011", node.span, "not a finite number", "infinite or not a number");
    return;
  }
  const std::size_t sign = value.front() == '-' || value.front() == '+' ? 1 : 0;
  const char first = value.size() > sign ? value[sign] : 'x';
  const bool dot_digit = first == '.' && value.size() > sign + 1 && value[sign + 1] >= '0' && value[sign + 1] <= '9';
  if ((first < '0' || first > '9') && !dot_digit) {
    return;
  }
  if (first == '0' && value.size() > 2 && sign == 0 && (value[1] == 'x' || value[1] == 'o')) {
    type_based_integer(node, value[1] == 'x' ? 16 : 8, problems);
  } else if (std::string spelling = value; read_number(spelling, node) == NumberVerdict::too_large) {
    problems.error("SP012", node.span, "number out of range", "does not fit into 64 bits");
  }
}

}  // namespace spillway::documents
