#include "reports/sheet.hpp"

#include <utility>

#include "reports/csv_text.hpp"
#include "reports/markdown_text.hpp"
#include "reports/text_table.hpp"

namespace spillway::reports {

std::string sheet_csv(const Sheet& sheet) {
  std::vector<std::string> names;
  for (const SheetField& field : sheet.fields) {
    names.push_back(field.name);
  }
  std::string text = csv_line(names);
  for (const auto& row : sheet.rows) {
    text += csv_line(row);
  }
  return text;
}

std::string sheet_text(const Sheet& sheet, int indent, int gap) {
  std::vector<TextTable::Column> columns;
  for (const SheetField& field : sheet.fields) {
    columns.push_back({printable(field.name), field.number ? Align::right : Align::left, gap});
  }
  TextTable table(columns, indent);
  for (std::vector<std::string> cells : sheet.rows) {
    for (std::string& cell : cells) {
      cell = cell.empty() ? "-" : printable(cell);
    }
    table.add_row(std::move(cells));
  }
  return table.text();
}

std::string sheet_markdown(const Sheet& sheet) {
  std::vector<std::string> names;
  std::vector<bool> numbers;
  for (const SheetField& field : sheet.fields) {
    names.push_back(markdown_escaped(field.name));
    numbers.push_back(field.number);
  }
  std::string text = markdown_row(names) + markdown_rule(numbers);
  for (std::vector<std::string> cells : sheet.rows) {
    for (std::string& cell : cells) {
      cell = markdown_escaped(cell);
    }
    text += markdown_row(cells);
  }
  return text;
}

}  // namespace spillway::reports
