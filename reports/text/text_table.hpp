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

// The output device's properties for formatters.
struct Look {
  int width = 100;  // columns per line
  bool color = false;
  bool is_bound = false;  // the width was set or is a terminal's: it is a hard limit
};

enum class Align { left, right };

using documents::printable;

// Returns the number of terminal cells of the text (models/documents/terminal_text.hpp).
[[nodiscard]] int display_width(std::string_view text);

[[nodiscard]] std::string padded(std::string_view text, int width, Align align);

// Joins the parts with the separator.
[[nodiscard]] std::string joined(const std::vector<std::string>& parts, std::string_view separator);

class TextTable {
 public:
  struct Column {
    std::string title;
    Align align = Align::left;
    int gap = 3;  // spaces before the column; the first has `indent` instead
    // True if the title may extend over the columns to its right that have no title. It takes no width in its own
    // column.
    bool title_spans = false;
  };

  explicit TextTable(std::vector<Column> columns, int indent = 1);

  // Print a table in two passes: first measure all rows, each with as many cells as columns, then print title and
  // lines.
  void measure(const std::vector<std::string>& cells);
  [[nodiscard]] std::string title() const;
  // Formats a line. `colors` has the arguments of ESC [ ... m for each cell; null for none.
  [[nodiscard]] std::string line(const std::vector<std::string>& cells,
                                 const std::vector<const char*>& colors = {}) const;

  // Return the widths of the measured columns, and of a line made of them.
  [[nodiscard]] const std::vector<int>& column_widths() const;
  [[nodiscard]] int width_of(const std::vector<std::string>& cells) const;
  [[nodiscard]] int width_of_title() const;

 private:
  [[nodiscard]] std::string title_line(const std::vector<int>& widths) const;

  std::vector<Column> columns_;
  std::vector<int> widest_;          // cell of each column
  mutable std::vector<int> widths_;  // column_widths(); empty if outdated
  int indent_;
};

}  // namespace spillway::reports
