#include "reports/text/markdown_text.hpp"

#include "reports/text/text_table.hpp"

namespace spillway::reports {

std::string markdown_escaped(std::string_view text) {
  constexpr std::string_view marks = "\\`*_{}[]<>#|~&";
  std::string escaped;
  for (const char character : printable(text)) {
    if (marks.find(character) != std::string_view::npos) {
      escaped += '\\';
    }
    escaped += character;
  }
  return escaped;
}

std::string markdown_cell(std::string_view text) {
  const std::string_view arrow = "-\\>";
  std::string cell = markdown_escaped(text);
  for (std::size_t at = cell.find(arrow); at != std::string::npos; at = cell.find(arrow, at)) {
    cell.replace(at, arrow.size(), "->");
  }
  return cell;
}

std::string markdown_row(const std::vector<std::string>& cells) {
  return "| " + joined(cells, " | ") + " |\n";
}

std::string markdown_rule(const std::vector<bool>& numbers) {
  std::string rule = "|";
  for (const bool number : numbers) {
    rule += number ? "---:|" : "---|";
  }
  return rule + '\n';
}

}  // namespace spillway::reports
