// Rows under titles, as data without formatting.
//
//   Sheet sheet{"endpoints", {{"service"}, {"requests", true}}, {{"cart", "12"}}};
#pragma once

#include <functional>
#include <string>
#include <string_view>
#include <vector>

namespace spillway::reports {

class Page;

// The meaning of a cell besides its text; terminals with colors show it.
enum class Tone { plain, good, warning, bad };

// Derives the tone of a verdict from its first word: "holds", "ok" and "OK" are good, "fails" and "FAILED" bad,
// "undecided" and "UNDECIDED" a warning.
[[nodiscard]] Tone tone_of(std::string_view verdict);

struct SheetField {
  std::string name;
  bool number = false;   // right-aligned
  bool verdict = false;  // has the tone of its text
  int gap = -1;          // columns before it; -1 means the sheet's gap
  bool spans = false;    // its name spans the nameless fields to its right
  int least = 0;         // minimum width in columns
};

using SheetRow = std::vector<std::string>;

// A function that makes rows on access: calls its argument with each row. It may be called several times.
using SheetRows = std::function<void(const std::function<void(SheetRow)>& visit)>;

// A table. Each row has as many cells as there are fields.
struct Sheet {
  std::string subject = {};
  std::vector<SheetField> fields = {};
  std::vector<SheetRow> rows = {};

  SheetRows made = {};                               // instead of `rows`, if there are too many to keep
  std::vector<std::vector<std::string>> below = {};  // lines below each row, by row; empty if no row has any

  // Layout on a terminal.
  int indent = 1;
  int gap = 3;
  std::string empty = "-";   // shown in a cell without text
  bool has_titles = true;    // Markdown always has them
  bool is_grouped = false;   // the first cell is printed once, above its rows
  bool always_fits = false;  // in 100 columns if the width is unknown; other sheets may exceed it
  // Draws a replacement if the sheet is too wide; if unset, cells are folded or moved below each other.
  std::function<void(Page&)> narrow = {};
};

void for_each_row(const Sheet& sheet, const std::function<void(SheetRow)>& visit);

}  // namespace spillway::reports
