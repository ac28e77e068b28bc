#include "models/config/refusal.hpp"

namespace spillway::config {
namespace {

// Converts a field's name to Envoy's form: "enforcing_consecutive_5xx" -> "EnforcingConsecutive5Xx".
std::string camel_case(std::string_view field) {
  std::string name;
  bool upper = true;
  for (const char c : field) {
    if (c != '_') {
      name += upper && c >= 'a' && c <= 'z' ? static_cast<char>(c - 'a' + 'A') : c;
    }
    upper = c == '_' || (c >= '0' && c <= '9');
  }
  return name;
}

}  // namespace

Reason out_of_bounds(std::string_view message, const std::string& field, std::string_view words) {
  std::string text = message.empty() ? "" : std::string(message) + "ValidationError.";
  return {text.append(camel_case(field)).append(": ").append(words), {field}, true};
}

Reason at_most(const std::string& field, std::uint64_t most) {
  return out_of_bounds("", field, "value must be less than or equal to " + std::to_string(most));
}

Reason at_least(const std::string& field, std::uint64_t least) {
  return out_of_bounds("", field, "value must be greater than or equal to " + std::to_string(least));
}

Refusal within(const std::string& field, Refusal refusal) {
  if (refusal && refusal->fields.empty()) {
    refusal->fields.push_back(field);
  } else if (refusal) {
    for (std::string& of_message : refusal->fields) {
      of_message.insert(0, field + ".");
    }
  }
  return refusal;
}

}  // namespace spillway::config
