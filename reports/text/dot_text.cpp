#include "reports/text/dot_text.hpp"

#include "reports/text/text_table.hpp"

namespace spillway::reports {

std::string dot_text(const std::string& line) {
  std::string text;
  for (const char letter : printable(line)) {
    if (letter == '&') {
      text += "&amp;";
      continue;
    }
    if (letter == '\\' || letter == '"') {
      text += '\\';
    }
    text += letter;
  }
  return text;
}

std::string dot_label(const std::vector<std::string>& lines) {
  std::string label;
  for (const std::string& line : lines) {
    label += (label.empty() ? "\"" : "\\n") + dot_text(line);
  }
  return label.empty() ? "\"\"" : label + '"';
}

}  // namespace spillway::reports
