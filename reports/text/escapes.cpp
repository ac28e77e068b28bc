#include "reports/text/escapes.hpp"

#include <algorithm>
#include <cctype>
#include <cstdlib>
#include <string_view>

#include "reports/text/text_table.hpp"

namespace spillway::reports {

namespace {

bool is_number(const std::string& text) {
  char* end = nullptr;
  static_cast<void>(std::strtod(text.c_str(), &end));
  return end == text.c_str() + text.size();
}

// True if a spreadsheet would evaluate the field.
bool is_formula(const std::string& field) {
  return field.size() > 1 && std::string_view("=+-@").find(field.front()) != std::string_view::npos &&
         !is_number(field);
}

bool is_harmless(char c) {
  return c >= ' ' && c < '\x7F' && c != ':' && c != '#';
}

std::string escaped(std::string_view text, bool apostrophes) {
  std::string escaped;
  escaped.reserve(text.size());
  for (const char character : text) {
    switch (character) {
      case '&':
        escaped += "&amp;";
        break;
      case '<':
        escaped += "&lt;";
        break;
      case '>':
        escaped += "&gt;";
        break;
      case '"':
        escaped += "&quot;";
        break;
      case '\'':
        escaped += apostrophes ? "&#39;" : "'";
        break;
      default:
        escaped += character;
    }
  }
  return escaped;
}

}  // namespace

std::string csv_field(const std::string& text) {
  const bool plain = std::all_of(text.begin(), text.end(), is_harmless);
  std::string field = plain ? text : documents::printable_lines(text);
  const std::size_t first = field.find_first_not_of(' ');
  if (first != std::string::npos && is_formula(field.substr(first))) {
    field.insert(field.begin(), '\'');
  }
  if (field.find_first_of(",\"\n") == std::string::npos) {
    return field;
  }
  std::string quoted = "\"";
  for (const char character : field) {
    if (character == '"') {
      quoted += '"';
    }
    quoted += character;
  }
  return quoted + '"';
}

std::string csv_line(const std::vector<std::string>& fields) {
  std::string line;
  for (std::size_t i = 0; i < fields.size(); ++i) {
    if (i > 0) {
      line += ',';
    }
    line += csv_field(fields[i]);
  }
  return line + '\n';
}

std::string xml_escaped(std::string_view text) {
  return escaped(printable(text), false);
}

std::string html_escaped(std::string_view text) {
  return escaped(text, true);
}

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
