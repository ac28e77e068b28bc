// Removes blanks around a text.
//
//   trimmed(" gateway-error\t");   // "gateway-error"
#pragma once

#include <cstddef>
#include <string_view>

namespace spillway::config {

// White space of C, which Envoy removes around numbers and addresses (absl::StripAsciiWhitespace).
inline constexpr std::string_view white_space = " \t\n\v\f\r";

// Returns the text without leading and trailing characters of `blanks`; by default those around values of HTTP headers.
[[nodiscard]] constexpr std::string_view trimmed(std::string_view text, std::string_view blanks = " \t") noexcept {
  const std::size_t begin = text.find_first_not_of(blanks);
  return begin == std::string_view::npos ? std::string_view()
                                         : text.substr(begin, text.find_last_not_of(blanks) + 1 - begin);
}

// Returns a line without blanks around it and without its carriage return.
[[nodiscard]] constexpr std::string_view trimmed_line(std::string_view line) noexcept {
  return trimmed(line, " \t\r");
}

}  // namespace spillway::config
