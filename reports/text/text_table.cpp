#include "reports/text/text_table.hpp"

#include <algorithm>
#include <fmt/format.h>
#include <utility>

namespace spillway::reports {
namespace {

void trim_end(std::string& line) {
  line.erase(line.find_last_not_of(' ') + 1);
}

}  // namespace

int display_width(std::string_view text) {
  return static_cast<int>(documents::display_width(text));
}

std::string padded(std::string_view text, int width, Align align) {
  const int missing = std::max(0, width - display_width(text));
  const std::string spaces(static_cast<std::size_t>(missing), ' ');
  return align == Align::left ? std::string(text) + spaces : spaces + std::string(text);
}

std::string joined(const std::vector<std::string>& parts, std::string_view separator) {
  return fmt::format("{}", fmt::join(parts, separator));
}

TextTable::TextTable(std::vector<Column> columns, int indent)
    : columns_(std::move(columns)), widest_(columns_.size(), 0), indent_(indent) {
  if (!columns_.empty()) {
    columns_.front().gap = indent_;
  }
}

void TextTable::measure(const std::vector<std::string>& cells) {
  for (std::size_t i = 0; i < cells.size(); ++i) {
    widest_[i] = std::max(widest_[i], display_width(cells[i]));
  }
  widths_.clear();
}

const std::vector<int>& TextTable::column_widths() const {
  if (!widths_.empty()) {
    return widths_;
  }
  widths_ = widest_;
  std::vector<int>& widths = widths_;
  for (std::size_t i = 0; i < columns_.size(); ++i) {
    int room = widths[i];
    std::size_t last = i;
    while (columns_[i].title_spans && last + 1 < columns_.size() && columns_[last + 1].title.empty()) {
      ++last;
      room += columns_[last].gap + widths[last];
    }
    // A spanning title that is too wide widens the last column of its span.
    widths[last] += std::max(0, display_width(columns_[i].title) - room);
  }
  return widths;
}

std::string TextTable::title_line(const std::vector<int>& widths) const {
  std::string line;
  int end = 0;  // of the line so far
  int at = 0;
  for (std::size_t i = 0; i < columns_.size(); ++i) {
    at += columns_[i].gap;
    if (!columns_[i].title.empty()) {
      const int width = display_width(columns_[i].title);
      const int start = columns_[i].title_spans || columns_[i].align == Align::left ? at : at + widths[i] - width;
      line += std::string(static_cast<std::size_t>(std::max(0, start - end)), ' ') + columns_[i].title;
      end = std::max(end, start) + width;
    }
    at += widths[i];
  }
  return line;
}

int TextTable::width_of(const std::vector<std::string>& cells) const {
  const std::vector<int>& widths = column_widths();
  int at = 0;
  int seen = 0;
  for (std::size_t i = 0; i < cells.size(); ++i) {
    at += columns_[i].gap + widths[i];
    seen = cells[i].empty() ? seen : at;
  }
  return seen;
}

int TextTable::width_of_title() const {
  return display_width(title_line(column_widths()));
}

std::string TextTable::title() const {
  std::string text = title_line(column_widths());
  trim_end(text);
  return text.empty() ? text : text + '\n';
}

std::string TextTable::line(const std::vector<std::string>& cells, const std::vector<const char*>& colors) const {
  const std::vector<int>& widths = column_widths();
  std::string line;
  for (std::size_t i = 0; i < cells.size(); ++i) {
    line += std::string(static_cast<std::size_t>(columns_[i].gap), ' ');
    std::string cell = padded(cells[i], widths[i], columns_[i].align);
    if (i + 1 == cells.size()) {
      trim_end(cell);
    }
    const char* const color = i < colors.size() ? colors[i] : nullptr;
    line += color == nullptr || cell.empty() ? cell : fmt::format("\x1b[{}m{}\x1b[0m", color, cell);
  }
  trim_end(line);
  return line + '\n';
}

}  // namespace spillway::reports
