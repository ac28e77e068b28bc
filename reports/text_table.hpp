// Aligned columns on a terminal, and text that cannot disturb it.
//
//   TextTable table({{"time", Align::left}, {"zone-1", Align::right}});
//   table.add_row({"0 - 10 s", "80 %"});
//   std::string text = table.text();
//
// Width is counted in terminal cells of UTF-8 text by fixed tables, so that locale and C library have no say: wide
// East Asian characters and emoji take two, combining marks none.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace spillway::reports {

// How the output device looks to a formatter.
struct Look {
  int width = 100;  // cells of a line
  bool color = false;
};

enum class Align { left, right };

// Cells that the text takes on a terminal. What is not UTF-8 counts one a byte.
[[nodiscard]] int display_width(std::string_view text);

// The same text with what a terminal would not show as it is spelled out: control characters, bytes that are not UTF-8
// and invisible direction marks: "\n", "\x1b", "\u202e". Always valid UTF-8.
[[nodiscard]] std::string printable(std::string_view text);

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

  // As many cells as columns.
  void add_row(std::vector<std::string> cells);

  // Cells of the longest line.
  [[nodiscard]] int width() const;

  // Title line and rows, each ended by a newline, no spaces at the end of a line.
  [[nodiscard]] std::string text() const;

 private:
  [[nodiscard]] std::vector<int> column_widths() const;
  [[nodiscard]] std::string title_line(const std::vector<int>& widths) const;

  std::vector<Column> columns_;
  std::vector<std::vector<std::string>> rows_;
  int indent_;
};

}  // namespace spillway::reports
