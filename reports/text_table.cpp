#include "reports/text_table.hpp"

#include <algorithm>
#include <array>
#include <cstdint>
#include <fmt/format.h>

namespace spillway::reports {
namespace {

struct Range {
  char32_t first;
  char32_t last;
};

// The ranges that [format.string.std] of C++23 counts as two cells.
constexpr std::array<Range, 14> wide_ranges{{{0x1100, 0x115F},
                                             {0x2329, 0x232A},
                                             {0x2E80, 0x303E},
                                             {0x3040, 0xA4CF},
                                             {0xAC00, 0xD7A3},
                                             {0xF900, 0xFAFF},
                                             {0xFE10, 0xFE19},
                                             {0xFE30, 0xFE6F},
                                             {0xFF00, 0xFF60},
                                             {0xFFE0, 0xFFE6},
                                             {0x1F300, 0x1F64F},
                                             {0x1F900, 0x1F9FF},
                                             {0x20000, 0x2FFFD},
                                             {0x30000, 0x3FFFD}}};

// Combining marks, joiners and variation selectors.
constexpr std::array<Range, 7> zero_ranges{{{0x0300, 0x036F},
                                            {0x1AB0, 0x1AFF},
                                            {0x1DC0, 0x1DFF},
                                            {0x200B, 0x200D},
                                            {0x20D0, 0x20FF},
                                            {0xFE00, 0xFE0F},
                                            {0xFE20, 0xFE2F}}};

// Marks that change the direction or the breaking of what follows: U+061C, U+200E, U+200F, U+2028 to U+202E, U+2066 to
// U+2069.
constexpr std::array<Range, 4> unseen_ranges{{{0x061C, 0x061C}, {0x200E, 0x200F}, {0x2028, 0x202E}, {0x2066, 0x2069}}};

template <std::size_t n>
bool within(const std::array<Range, n>& ranges, char32_t character) {
  return std::any_of(ranges.begin(), ranges.end(),
                     [&](const Range& range) { return range.first <= character && character <= range.last; });
}

struct Character {
  char32_t value;
  std::size_t bytes;
  bool valid = true;
};

// The character at the front of a text that is not empty; a byte that begins no UTF-8 sequence stands for itself.
Character front_character(std::string_view text) {
  const auto byte = [&](std::size_t i) { return static_cast<std::uint8_t>(text[i]); };
  const std::uint8_t lead = byte(0);
  const std::size_t bytes = lead < 0x80 ? 1 : (lead >> 5) == 6 ? 2 : (lead >> 4) == 14 ? 3 : (lead >> 3) == 30 ? 4 : 0;
  if (bytes <= 1 || text.size() < bytes) {
    return {lead, 1, lead < 0x80};
  }
  char32_t value = lead & (0xFFU >> (bytes + 1));
  for (std::size_t i = 1; i < bytes; ++i) {
    if ((byte(i) & 0xC0) != 0x80) {
      return {lead, 1, false};
    }
    value = (value << 6) | (byte(i) & 0x3F);
  }
  return {value, bytes, true};
}

int cells_of(char32_t character) {
  if (character < 0x300) {
    return 1;
  }
  if (within(zero_ranges, character)) {
    return 0;
  }
  return within(wide_ranges, character) ? 2 : 1;
}

std::string escaped(char32_t character) {
  if (character == '\n') {
    return "\\n";
  }
  if (character == '\t') {
    return "\\t";
  }
  if (character == '\r') {
    return "\\r";
  }
  const auto code = static_cast<std::uint32_t>(character);
  return code <= 0xFF ? fmt::format("\\x{:02x}", code) : fmt::format("\\u{:04x}", code);
}

void trim_end(std::string& line) {
  line.erase(line.find_last_not_of(' ') + 1);
}

}  // namespace

int display_width(std::string_view text) {
  int cells = 0;
  while (!text.empty()) {
    const Character character = front_character(text);
    cells += cells_of(character.value);
    text.remove_prefix(character.bytes);
  }
  return cells;
}

std::string printable(std::string_view text) {
  std::string safe;
  safe.reserve(text.size());
  while (!text.empty()) {
    const auto [value, bytes, valid] = front_character(text);
    const bool control = value < 0x20 || (value >= 0x7F && value < 0xA0);
    if (!valid || control || within(unseen_ranges, value)) {
      safe += escaped(value);
    } else {
      safe += text.substr(0, bytes);
    }
    text.remove_prefix(bytes);
  }
  return safe;
}

std::string padded(std::string_view text, int width, Align align) {
  const int missing = std::max(0, width - display_width(text));
  const std::string spaces(static_cast<std::size_t>(missing), ' ');
  return align == Align::left ? std::string(text) + spaces : spaces + std::string(text);
}

std::string joined(const std::vector<std::string>& parts, std::string_view separator) {
  return fmt::format("{}", fmt::join(parts, separator));
}

TextTable::TextTable(std::vector<Column> columns, int indent) : columns_(std::move(columns)), indent_(indent) {
  if (!columns_.empty()) {
    columns_.front().gap = indent_;
  }
}

void TextTable::add_row(std::vector<std::string> cells) {
  rows_.push_back(std::move(cells));
}

std::vector<int> TextTable::column_widths() const {
  std::vector<int> widths(columns_.size(), 0);
  for (const auto& row : rows_) {
    for (std::size_t i = 0; i < row.size(); ++i) {
      widths[i] = std::max(widths[i], display_width(row[i]));
    }
  }
  for (std::size_t i = 0; i < columns_.size(); ++i) {
    int room = widths[i];
    std::size_t last = i;
    while (columns_[i].title_spans && last + 1 < columns_.size() && columns_[last + 1].title.empty()) {
      ++last;
      room += columns_[last].gap + widths[last];
    }
    // A spanning title that is wider than what it spans pushes the last column of its span to the right.
    widths[last] += std::max(0, display_width(columns_[i].title) - room);
  }
  return widths;
}

std::string TextTable::title_line(const std::vector<int>& widths) const {
  std::string line;
  int at = 0;
  for (std::size_t i = 0; i < columns_.size(); ++i) {
    at += columns_[i].gap;
    if (!columns_[i].title.empty()) {
      const int start = columns_[i].title_spans || columns_[i].align == Align::left
                            ? at
                            : at + widths[i] - display_width(columns_[i].title);
      line += std::string(static_cast<std::size_t>(std::max(0, start - display_width(line))), ' ') + columns_[i].title;
    }
    at += widths[i];
  }
  return line;
}

int TextTable::width() const {
  const std::vector<int> widths = column_widths();
  int longest = 0;
  for (const auto& row : rows_) {
    int at = 0;
    for (std::size_t i = 0; i < row.size(); ++i) {
      at += columns_[i].gap + widths[i];
      const bool seen = !row[i].empty();
      if (seen) {
        longest = std::max(longest, at);
      }
    }
  }
  return std::max(longest, display_width(title_line(widths)));
}

std::string TextTable::text() const {
  const std::vector<int> widths = column_widths();
  std::string text = title_line(widths);
  trim_end(text);
  if (!text.empty()) {
    text += '\n';
  }
  for (const auto& row : rows_) {
    std::string line;
    for (std::size_t i = 0; i < row.size(); ++i) {
      line +=
          std::string(static_cast<std::size_t>(columns_[i].gap), ' ') + padded(row[i], widths[i], columns_[i].align);
    }
    trim_end(line);
    text += line + '\n';
  }
  return text;
}

}  // namespace spillway::reports
