// Formats text in columns, for terminals.
#include <algorithm>
#include <iterator>
#include <optional>
#include <utility>

#include "reports/document/document.hpp"
#include "reports/text/fold.hpp"

namespace spillway::reports {
namespace {

using Kind = PagePart::Kind;
using Cells = std::vector<std::string>;

constexpr int least_width = 20;
// The column in which sentences begin, to the right of their labels.
constexpr int label_column = 19;

const char* color_of(Tone tone) {
  return tone == Tone::good ? "32" : tone == Tone::bad ? "31" : tone == Tone::warning ? "33" : nullptr;
}

// `color` may be null.
std::string colored(const std::string& text, const char* color) {
  return color == nullptr ? text : "\x1b[" + std::string(color) + "m" + text + "\x1b[0m";
}

TextTable table_of(const Sheet& sheet) {
  std::vector<TextTable::Column> columns;
  for (const SheetField& field : sheet.fields) {
    columns.push_back({sheet.has_titles ? printable(field.name) : "", field.number ? Align::right : Align::left,
                       field.gap < 0 ? sheet.gap : field.gap, field.spans});
  }
  TextTable table(std::move(columns), sheet.indent);
  Cells least;
  for (const SheetField& field : sheet.fields) {
    least.emplace_back(static_cast<std::size_t>(field.least), ' ');
  }
  table.measure(least);
  return table;
}

Cells printable_cells(const Sheet& sheet, Cells cells) {
  for (std::string& cell : cells) {
    cell = cell.empty() ? sheet.empty : printable(cell);
  }
  return cells;
}

TextTable measured(const Sheet& sheet) {
  TextTable table = table_of(sheet);
  for_each_row(sheet, [&](SheetRow row) { table.measure(printable_cells(sheet, std::move(row))); });
  return table;
}

int longest_word(std::string_view text) {
  constexpr int most = 24;  // longer cells are broken
  int longest = 0;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find(' '), text.size());
    longest = std::max(longest, display_width(text.substr(0, end)));
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return std::min(longest, most);
}

// Returns a width per column for lines of `width`, taking most from the widest columns of words. Returns nullopt if
// there are too many columns.
std::optional<std::vector<int>> squeezed(const Sheet& sheet, const TextTable& table, int width) {
  std::vector<int> widths = table.column_widths();
  std::vector<int> least = widths;
  int all = sheet.indent;
  for (std::size_t i = 0; i < widths.size(); ++i) {
    const SheetField& field = sheet.fields[i];
    all += widths[i] + (i == 0 ? 0 : field.gap < 0 ? sheet.gap : field.gap);
    if (!field.number) {
      least[i] = sheet.has_titles ? display_width(printable(field.name)) : 0;
    }
  }
  for_each_row(sheet, [&](const SheetRow& row) {
    for (std::size_t i = 0; i < row.size(); ++i) {
      if (!sheet.fields[i].number) {
        least[i] = std::max(least[i], longest_word(printable(row[i])));
      }
    }
  });
  for (; all > width; --all) {
    std::size_t widest = widths.size();
    for (std::size_t i = 0; i < widths.size(); ++i) {
      if (widths[i] > least[i] && (widest == widths.size() || widths[i] > widths[widest])) {
        widest = i;
      }
    }
    if (widest == widths.size()) {
      return std::nullopt;
    }
    --widths[widest];
  }
  return widths;
}

// Splits the sheet into several below each other. Each has the first column and as many others as fit in `width`. Empty
// if one cell per line is shorter or clearer.
std::vector<Sheet> blocks_of(const Sheet& sheet, const TextTable& table, int width) {
  const std::vector<int>& widths = table.column_widths();
  if (!sheet.has_titles || !sheet.below.empty() || sheet.fields.size() < 3 || widths.front() > width / 2) {
    return {};
  }
  const int names = sheet.indent + widths.front();
  std::vector<std::vector<std::size_t>> columns;
  int used = width;
  for (std::size_t i = 1, end = 1; i < sheet.fields.size(); i = end) {
    // A title that spans columns to its right stays with them.
    int room = 0;
    do {
      room += widths[end] + (sheet.fields[end].gap < 0 ? sheet.gap : sheet.fields[end].gap);
      ++end;
    } while (end < sheet.fields.size() && sheet.fields[end].name.empty());
    if (used + room > width) {
      columns.push_back({0});
      used = names;
    }
    used += room;
    for (std::size_t column = i; column < end; ++column) {
      columns.back().push_back(column);
    }
  }
  std::vector<Sheet> blocks;
  for (const std::vector<std::size_t>& chosen : columns) {
    Sheet& block = blocks.emplace_back(sheet);
    block.rows.clear();
    block.fields.clear();
    std::transform(chosen.begin(), chosen.end(), std::back_inserter(block.fields),
                   [&](std::size_t column) { return sheet.fields[column]; });
    block.made = [&sheet, chosen](const std::function<void(SheetRow)>& visit) {
      for_each_row(sheet, [&](const SheetRow& row) {
        SheetRow part;
        std::transform(chosen.begin(), chosen.end(), std::back_inserter(part),
                       [&](std::size_t column) { return row[column]; });
        visit(std::move(part));
      });
    };
  }
  std::size_t rows = 0;
  for_each_row(sheet, [&](const SheetRow&) { ++rows; });
  const bool is_longer = blocks.size() * (rows + 2) >= rows * sheet.fields.size();
  const bool fit = std::all_of(blocks.begin(), blocks.end(),
                               [&](const Sheet& block) { return squeezed(block, measured(block), width).has_value(); });
  return is_longer || !fit ? std::vector<Sheet>{} : blocks;
}

// Splits the row into lines for columns of these widths; returns one line if there are no widths.
std::vector<Cells> lines_of(const Cells& cells, const std::optional<std::vector<int>>& widths) {
  if (!widths) {
    return {cells};
  }
  std::vector<Cells> lines;
  for (std::size_t i = 0; i < cells.size(); ++i) {
    const Cells parts = wrapped(cells[i], std::max((*widths)[i], 1), 0);
    lines.resize(std::max(lines.size(), parts.size()), Cells(cells.size()));
    for (std::size_t line = 0; line < parts.size(); ++line) {
      lines[line][i] = parts[line];
    }
  }
  return lines;
}

class TextPage : public Page {
 public:
  TextPage(const Look& look, const Sink& sink) : Page(Medium::terminal, look.width), look_(look), sink_(sink) {}

  // Passes the text on at the end of a line.
  void hand_over() {
    sink_(look_.is_bound ? folded(text_, std::max(look_.width, least_width)) : text_);
    text_.clear();
  }

 protected:
  void draw(const PagePart& part) override {
    if (part.kind == Kind::sheet) {
      return draw_sheet(*part.sheet, part.attached);
    }
    if (part.kind == Kind::begin_details || part.kind == Kind::end_details) {
      return;
    }
    begin(part.attached);
    if (part.kind == Kind::title) {
      return draw_title(part);
    }
    if (part.kind == Kind::labels) {
      return draw_labels(part);
    }
    const char* const color = look_.color ? color_of(part.tone) : nullptr;
    for (const std::string& text : part.texts) {
      text_ += colored(std::string(static_cast<std::size_t>(part.indent), ' ') + printable(text), color) + "\n";
    }
  }

 private:
  void begin(bool attached) {
    text_ += is_first_ || attached ? "" : "\n";
    is_first_ = false;
    hand_over_if_full();
  }

  void hand_over_if_full() {
    if (constexpr std::size_t full = 1U << 16U; text_.size() >= full) {
      hand_over();
    }
  }

  void draw_below(const Sheet& sheet, std::size_t row) {
    for (std::size_t i = 0; row < sheet.below.size() && i < sheet.below[row].size(); ++i) {
      text_ += "        " + printable(sheet.below[row][i]) + "\n";
    }
  }

  // Draws the texts on one line, or on one line each if that is too wide.
  void draw_title(const PagePart& part) {
    Cells texts = part.texts;
    std::transform(texts.begin(), texts.end(), texts.begin(), [](const std::string& text) { return printable(text); });
    std::string line = joined(texts, "        ");
    for (const char* closer : {"    ", "\n"}) {
      if (display_width(line) > look_.width) {
        line = joined(texts, closer);
      }
    }
    const char* const color = color_of(part.tone);
    text_ += std::string(static_cast<std::size_t>(part.indent), ' ');
    text_ += look_.color ? std::string("\x1b[1") + (color == nullptr ? "" : ";") + (color == nullptr ? "" : color) +
                               "m" + line + "\x1b[0m\n"
                         : line + "\n";
  }

  void draw_labels(const PagePart& part) {
    const int room = look_.is_bound ? std::max(look_.width - label_column, least_width) : -1;
    for (std::size_t i = 0; i < part.texts.size(); ++i) {
      std::string label = part.labels[i];
      const std::string sentence = printable(part.texts[i]);
      for (const std::string& line : room < 0 ? Cells{sentence} : wrapped(sentence, room, 0)) {
        text_ += " " + padded(std::exchange(label, ""), label_column - 1, Align::left) + line + "\n";
      }
    }
  }

  void draw_groups(const Sheet& sheet, bool is_attached) {
    Sheet part = sheet;
    part.is_grouped = false;
    part.fields.erase(part.fields.begin());
    for (std::size_t row = 0; row < sheet.rows.size();) {
      const std::string& name = sheet.rows[row].front();
      part.rows.clear();
      for (; row < sheet.rows.size() && sheet.rows[row].front() == name; ++row) {
        part.rows.emplace_back(sheet.rows[row].begin() + 1, sheet.rows[row].end());
      }
      begin(std::exchange(is_attached, false));
      text_ += printable(name) + "\n";
      draw_sheet(part, true);
    }
  }

  void draw_sheet(const Sheet& sheet, bool is_attached) {
    if (sheet.is_grouped) {
      return draw_groups(sheet, is_attached);
    }
    TextTable table = measured(sheet);
    std::optional<std::vector<int>> widths;
    if ((look_.is_bound || sheet.always_fits) && width_of(sheet, table) > look_.width) {
      widths = look_.is_bound && !sheet.narrow ? squeezed(sheet, table, look_.width) : std::nullopt;
      if (!widths) {
        return sheet.narrow ? draw_instead(sheet, is_attached) : draw_apart(sheet, table, is_attached);
      }
      table = table_of(sheet);
      for_each_row(sheet, [&](SheetRow row) {
        for (const Cells& line : lines_of(printable_cells(sheet, std::move(row)), widths)) {
          table.measure(line);
        }
      });
    }
    begin(is_attached);
    text_ += table.title();
    std::size_t number = 0;
    for_each_row(sheet, [&](SheetRow row) {
      const std::vector<const char*> colors = colors_of(sheet, row);
      for (const Cells& line : lines_of(printable_cells(sheet, std::move(row)), widths)) {
        text_ += table.line(line, colors);
      }
      draw_below(sheet, number++);
      hand_over_if_full();
    });
  }

  // Returns the width of the widest line.
  static int width_of(const Sheet& sheet, const TextTable& table) {
    int width = table.width_of_title();
    for_each_row(
        sheet, [&](SheetRow row) { width = std::max(width, table.width_of(printable_cells(sheet, std::move(row)))); });
    return width;
  }

  [[nodiscard]] std::vector<const char*> colors_of(const Sheet& sheet, const SheetRow& row) const {
    std::vector<const char*> colors;
    for (std::size_t i = 0; look_.color && i < row.size(); ++i) {
      colors.push_back(sheet.fields[i].verdict ? color_of(tone_of(row[i])) : nullptr);
    }
    return colors;
  }

  void draw_instead(const Sheet& sheet, bool is_attached) {
    if (is_attached) {
      attached();
    }
    sheet.narrow(*this);
  }

  // Draws the columns in blocks below each other, or one cell per line.
  void draw_apart(const Sheet& sheet, const TextTable& table, bool is_attached) {
    const std::vector<Sheet> blocks = blocks_of(sheet, table, look_.width);
    for (const Sheet& block : blocks) {
      draw_sheet(block, std::exchange(is_attached, false));
    }
    if (blocks.empty()) {
      draw_stacked(sheet, is_attached);
    }
  }

  // Draws one cell per line, below the first cell of its row.
  void draw_stacked(const Sheet& sheet, bool is_attached) {
    begin(is_attached);
    const std::string indent(static_cast<std::size_t>(sheet.indent), ' ');
    int names = 0;
    for (std::size_t i = 1; i < sheet.fields.size(); ++i) {
      names = std::max(names, display_width(printable(sheet.fields[i].name)) + 2);
    }
    std::size_t number = 0;
    for_each_row(sheet, [&](SheetRow row) {
      const std::vector<const char*> colors = colors_of(sheet, row);
      row = printable_cells(sheet, std::move(row));
      text_ += indent + row.front() + "\n";
      for (std::size_t i = 1; i < row.size(); ++i) {
        const char* const color = i < colors.size() ? colors[i] : nullptr;
        text_ += indent + "  " + padded(printable(sheet.fields[i].name), names, Align::left);
        text_ += colored(row[i], color) + "\n";
      }
      draw_below(sheet, number++);
    });
    text_ += number == 0 ? table_of(sheet).title() : "";
  }

  Look look_;
  const Sink& sink_;
  std::string text_;
  bool is_first_ = true;
};

}  // namespace

void write_text(const Document& document, const Look& look, const Sink& sink) {
  TextPage page(look, sink);
  document.page(page);
  page.hand_over();
}

void write_wide(const Document& document, const Look& look, const Sink& sink) {
  TextPage page({look.width, look.color, false}, sink);
  if (document.wide) {
    document.wide(page);
  } else {
    page.records(document.records());
  }
  page.hand_over();
}

}  // namespace spillway::reports
