// Rows under titles, as data: no format has touched them yet.
//
//   Sheet sheet{"endpoints", {{"service"}, {"requests", true}}, {{"cart", "12"}}};
#pragma once

#include <functional>
#include <string>
#include <string_view>
#include <vector>

namespace spillway::reports {

class Page;

// What a cell means to its reader, beyond its text: a terminal with colors shows it.
enum class Tone { plain, good, warning, bad };

// Of a verdict, by its first word: "holds", "ok" and "OK" are good, "fails" and "FAILED" bad, "undecided" a warning.
[[nodiscard]] Tone tone_of(std::string_view verdict);

struct SheetField {
  std::string name;
  bool number = false;   // to the right
  bool verdict = false;  // has the tone of its text
  int gap = -1;          // columns before it; -1: those of its sheet
  bool spans = false;    // its name runs over the fields to its right that have none
  int least = 0;         // columns that it takes at least
};

using SheetRow = std::vector<std::string>;

// Rows that are made when they are looked at: calls its argument with each. May be asked several times.
using SheetRows = std::function<void(const std::function<void(SheetRow)>& visit)>;

// As many cells in each row as there are fields.
struct Sheet {
  std::string subject = {};
  std::vector<SheetField> fields = {};
  std::vector<SheetRow> rows = {};

  SheetRows made = {};                               // instead of `rows`, where there are too many to keep
  std::vector<std::vector<std::string>> below = {};  // lines that belong to a row, if any do: as many as rows

  // How a terminal lays it out.
  int indent = 1;
  int gap = 3;
  std::string empty = "-";   // what stands in a cell without text
  bool has_titles = true;    // Markdown always has them
  bool is_grouped = false;   // the first cell stands above its rows, once
  bool always_fits = false;  // in 100 columns where no width is known, which others run beyond
  // What stands there instead where it is too wide; else cells are folded, or stand one below the other.
  std::function<void(Page&)> narrow = {};
};

void for_each_row(const Sheet& sheet, const std::function<void(SheetRow)>& visit);

}  // namespace spillway::reports
