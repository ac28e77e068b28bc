// Rows under titles, which every format that people or line tools read can print.
//
//   Sheet sheet{"endpoints", {{"service"}, {"requests", true}}, {{"cart", "12"}}};
//   std::string text = sheet_text(sheet, 1, 3) + sheet_markdown(sheet) + sheet_csv(sheet);
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "reports/text/sink.hpp"

namespace spillway::reports {

struct SheetField {
  std::string name;
  bool number = false;  // to the right
};

// Titles and cells as they are: no format has touched them yet. As many in each row as there are fields.
struct Sheet {
  std::string subject;
  std::vector<SheetField> fields;
  std::vector<std::vector<std::string>> rows = {};
};

// Rows that are made when they are looked at: calls its argument with each. May be asked several times.
using SheetRows = std::function<void(const std::function<void(std::vector<std::string>)>& visit)>;

// What a sheet with these rows would be (its own are not looked at), piece by piece: `sheet_text` looks twice.
void write_sheet_text(const Sheet& sheet, const SheetRows& rows, int indent, int gap, const Sink& sink);
void write_sheet_markdown(const Sheet& sheet, const SheetRows& rows, const Sink& sink);
void write_sheet_csv(const Sheet& sheet, const SheetRows& rows, const Sink& sink);

// Aligned columns (text_table.hpp): `indent` spaces before the first, `gap` before the others; - for an empty cell.
[[nodiscard]] std::string sheet_text(const Sheet& sheet, int indent, int gap);
[[nodiscard]] std::string sheet_markdown(const Sheet& sheet);
[[nodiscard]] std::string sheet_csv(const Sheet& sheet);

}  // namespace spillway::reports
