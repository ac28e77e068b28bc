#include "reports/text/csv_text.hpp"

#include <algorithm>
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

}  // namespace spillway::reports
