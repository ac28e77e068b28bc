#include "reports/text/shell_word.hpp"

#include <algorithm>
#include <cctype>
#include <string_view>

namespace spillway::reports {

std::string shell_word(const std::string& word) {
  const bool plain = !word.empty() && std::all_of(word.begin(), word.end(), [](unsigned char character) {
    return std::isalnum(character) != 0 ||
           std::string_view("_@%+=:,./-").find(static_cast<char>(character)) != std::string_view::npos;
  });
  if (plain) {
    return word;
  }
  std::string text = "'";
  for (const char character : word) {
    text += character == '\'' ? std::string("'\\''") : std::string(1, character);
  }
  return text + "'";
}

std::string shell_line(const std::vector<std::string>& words) {
  std::string line;
  for (const std::string& word : words) {
    line += (line.empty() ? "" : " ") + shell_word(word);
  }
  return line;
}

}  // namespace spillway::reports
