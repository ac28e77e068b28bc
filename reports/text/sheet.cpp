#include "reports/text/sheet.hpp"

#include <utility>

#include "reports/text/csv_text.hpp"
#include "reports/text/markdown_text.hpp"
#include "reports/text/text_table.hpp"

namespace spillway::reports {
namespace {

SheetRows rows_of(const Sheet& sheet) {
  return [&sheet](const auto& visit) {
    for (const auto& row : sheet.rows) {
      visit(row);
    }
  };
}

}  // namespace

void write_sheet_csv(const Sheet& sheet, const SheetRows& rows, const Sink& sink) {
  std::vector<std::string> names;
  for (const SheetField& field : sheet.fields) {
    names.push_back(field.name);
  }
  std::string text = csv_line(names);
  rows([&](const std::vector<std::string>& row) {
    text += csv_line(row);
    write_full(text, sink);
  });
  sink(text);
}

void write_sheet_text(const Sheet& sheet, const SheetRows& rows, int indent, int gap, const Sink& sink) {
  std::vector<TextTable::Column> columns;
  for (const SheetField& field : sheet.fields) {
    columns.push_back({printable(field.name), field.number ? Align::right : Align::left, gap});
  }
  TextTable table(columns, indent);
  const auto for_each_line = [&](const auto& visit) {
    rows([&](std::vector<std::string> cells) {
      for (std::string& cell : cells) {
        cell = cell.empty() ? "-" : printable(cell);
      }
      visit(cells);
    });
  };
  for_each_line([&](const std::vector<std::string>& cells) { table.measure(cells); });
  std::string text = table.title();
  for_each_line([&](const std::vector<std::string>& cells) {
    text += table.line(cells);
    write_full(text, sink);
  });
  sink(text);
}

void write_sheet_markdown(const Sheet& sheet, const SheetRows& rows, const Sink& sink) {
  std::vector<std::string> names;
  std::vector<bool> numbers;
  for (const SheetField& field : sheet.fields) {
    names.push_back(markdown_escaped(field.name));
    numbers.push_back(field.number);
  }
  std::string text = markdown_row(names) + markdown_rule(numbers);
  rows([&](std::vector<std::string> cells) {
    for (std::string& cell : cells) {
      cell = markdown_escaped(cell);
    }
    text += markdown_row(cells);
    write_full(text, sink);
  });
  sink(text);
}

std::string sheet_csv(const Sheet& sheet) {
  std::string text;
  write_sheet_csv(sheet, rows_of(sheet), [&](std::string_view piece) { text += piece; });
  return text;
}

std::string sheet_text(const Sheet& sheet, int indent, int gap) {
  std::string text;
  write_sheet_text(sheet, rows_of(sheet), indent, gap, [&](std::string_view piece) { text += piece; });
  return text;
}

std::string sheet_markdown(const Sheet& sheet) {
  std::string text;
  write_sheet_markdown(sheet, rows_of(sheet), [&](std::string_view piece) { text += piece; });
  return text;
}

}  // namespace spillway::reports
