// The validation rules of Envoy's API (protoc-gen-validate), applied to a field.
#pragma once

#include <string>
#include <string_view>

#include "models/envoy/api/api_tables.hpp"

namespace spillway::api {

// A broken rule; `code` is empty if none is.
struct BrokenRule {
  std::string_view code = {};  // SP023, SP024, SP025 or SP026
  std::string label = {};      // "must be greater than 0"
};

// Checks a number, a duration in seconds, or an enum's number. An unset field counts as 0.
[[nodiscard]] BrokenRule check_number(double number, const Rules& rules);

// Checks a text. An unset field counts as "".
[[nodiscard]] BrokenRule check_text(std::string_view text, const Rules& rules);

// Checks the number of items or members.
[[nodiscard]] BrokenRule check_count(std::size_t count, const Rules& rules);

// True for the name of a header, also of a pseudo-header such as `:path`.
[[nodiscard]] bool is_header_name(std::string_view text);

}  // namespace spillway::api
