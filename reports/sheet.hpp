// Rows under titles, which every format that people or line tools read can print.
//
//   Sheet sheet{"endpoints", {{"service"}, {"requests", true}}, {{"cart", "12"}}};
//   std::string text = sheet_text(sheet, 1, 3) + sheet_markdown(sheet) + sheet_csv(sheet);
#pragma once

#include <string>
#include <vector>

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

// Aligned columns (text_table.hpp): `indent` spaces before the first, `gap` before the others; - for an empty cell.
[[nodiscard]] std::string sheet_text(const Sheet& sheet, int indent, int gap);
[[nodiscard]] std::string sheet_markdown(const Sheet& sheet);
[[nodiscard]] std::string sheet_csv(const Sheet& sheet);

}  // namespace spillway::reports
