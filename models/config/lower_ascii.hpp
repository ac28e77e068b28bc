// Lower-cases ASCII letters, independent of the locale.
//
//   to_lower_ascii("HTTP_Proxy");   // "http_proxy"
#pragma once

#include <algorithm>
#include <string>

namespace spillway::config {

[[nodiscard]] inline char to_lower_ascii(char c) noexcept {
  return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
}

[[nodiscard]] inline std::string to_lower_ascii(std::string text) {
  std::transform(text.begin(), text.end(), text.begin(), [](char c) { return to_lower_ascii(c); });
  return text;
}

}  // namespace spillway::config
