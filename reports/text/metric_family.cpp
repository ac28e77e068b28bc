#include "reports/text/metric_family.hpp"

#include "models/documents/terminal_text.hpp"

namespace spillway::reports {
namespace {

std::string label_escaped(std::string_view text) {
  std::string escaped;
  for (const char letter : documents::printable_lines(text)) {
    if (letter == '\n') {
      escaped += "\\n";
      continue;
    }
    if (letter == '\\' || letter == '"') {
      escaped += '\\';
    }
    escaped += letter;
  }
  return escaped;
}

}  // namespace

std::string labels_text(const Labels& labels) {
  std::string text;
  for (const auto& [name, value] : labels) {
    if (!value.empty()) {
      text += fmt::format("{}{}=\"{}\"", text.empty() ? "" : ",", name, label_escaped(value));
    }
  }
  return text.empty() ? "" : "{" + text + "}";
}

}  // namespace spillway::reports
