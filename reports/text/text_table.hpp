// Aligned columns on a terminal.
//
//   TextTable table({{"time", Align::left}, {"zone-1", Align::right}});
//   table.add_row({"0 - 10 s", "80 %"});
//   std::string text = table.text();
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "models/documents/terminal_text.hpp"

namespace spillway::reports {

// How the output device looks to a formatter.
struct Look {
  int width = 100;  // cells of a line
  bool color = false;
  bool is_bound = false;  // the width was asked for, or is that of a terminal: nothing may be wider
};

enum class Align { left, right };

using documents::printable;

// Cells of a terminal that the text takes (models/documents/terminal_text.hpp).
[[nodiscard]] int display_width(std::string_view text);

[[nodiscard]] std::string padded(std::string_view text, int width, Align align);

// Names in a sentence: "a, b and c".
[[nodiscard]] std::string joined(const std::vector<std::string>& parts, std::string_view separator);

class TextTable {
 public:
  struct Column {
    std::string title;
    Align align = Align::left;
    int gap = 3;  // spaces before the column; the first column has `indent` instead
    // The title may run over the columns to its right as long as these have none; it takes no room in its own.
    bool title_spans = false;
  };

  explicit TextTable(std::vector<Column> columns, int indent = 1);

  // Measure all rows first, each of as many cells as there are columns; then print the title and each line.
  void measure(const std::vector<std::string>& cells);
  [[nodiscard]] std::string title() const;
  // `colors`: of each cell, as ESC [ ... m has them; null: none.
  [[nodiscard]] std::string line(const std::vector<std::string>& cells,
                                 const std::vector<const char*>& colors = {}) const;

  // Columns as wide as what was measured, and those of the line in which they stand.
  [[nodiscard]] const std::vector<int>& column_widths() const;
  [[nodiscard]] int width_of(const std::vector<std::string>& cells) const;
  [[nodiscard]] int width_of_title() const;

 private:
  [[nodiscard]] std::string title_line(const std::vector<int>& widths) const;

  std::vector<Column> columns_;
  std::vector<int> widest_;          // cell of each column
  mutable std::vector<int> widths_;  // column_widths(); empty: not worked out since the last row
  int indent_;
};

}  // namespace spillway::reports
