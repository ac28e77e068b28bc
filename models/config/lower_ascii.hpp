// Letters of ASCII, whatever the locale.
//
//   in_small_letters("HTTP_Proxy");   // "http_proxy"
#pragma once

#include <algorithm>
#include <string>

namespace spillway::config {

[[nodiscard]] inline char in_small_letters(char c) noexcept {
  return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
}

[[nodiscard]] inline std::string in_small_letters(std::string text) {
  std::transform(text.begin(), text.end(), text.begin(), [](char c) { return in_small_letters(c); });
  return text;
}

}  // namespace spillway::config
