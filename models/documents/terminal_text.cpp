#include "models/documents/terminal_text.hpp"

#include <algorithm>
#include <array>
#include <fmt/core.h>

#include "models/documents/utf8.hpp"

namespace spillway::documents {
namespace {

constexpr std::size_t tab_width = 4;

struct Range {
  char32_t first;
  char32_t last;
};

// East Asian Wide and Fullwidth characters, and emoji, from Unicode 15, merged to blocks.
constexpr std::array<Range, 14> wide_ranges = {{{0x1100, 0x115F},
                                                {0x231A, 0x231B},
                                                {0x2E80, 0x303E},
                                                {0x3041, 0x33FF},
                                                {0x3400, 0x4DBF},
                                                {0x4E00, 0x9FFF},
                                                {0xA000, 0xA4CF},
                                                {0xA960, 0xA97F},
                                                {0xAC00, 0xD7A3},
                                                {0xF900, 0xFAFF},
                                                {0xFE30, 0xFE6F},
                                                {0xFF00, 0xFF60},
                                                {0x1F300, 0x1FAFF},
                                                {0x20000, 0x3FFFD}}};

// Combining marks and variation selectors, which are drawn on the character before them.
constexpr std::array<Range, 6> zero_width_ranges = {
    {{0x0300, 0x036F}, {0x0483, 0x0489}, {0x1AB0, 0x1AFF}, {0x20D0, 0x20FF}, {0xFE00, 0xFE0F}, {0xFE20, 0xFE2F}}};

template <std::size_t size>
bool within(const std::array<Range, size>& ranges, char32_t character) {
  return std::any_of(ranges.begin(), ranges.end(),
                     [&](const Range& range) { return character >= range.first && character <= range.last; });
}

// Characters that may harm a terminal or mislead a reader: control characters, direction marks, invisible characters.
constexpr std::array<Range, 16> unprintable_ranges = {
    {{0x00, 0x1F},
     {0x7F, 0x9F},
     {0xAD, 0xAD},
     {0x61C, 0x61C},
     {0x115F, 0x1160},
     {0x17B4, 0x17B5},
     {0x180B, 0x180F},
     {0x200B, 0x200F},
     {0x2028, 0x202E},
     {0x2060, 0x206F},
     {0x3164, 0x3164},
     {0xFDD0, 0xFDEF},  // noncharacters, as are the last two of each plane
     {0xFEFF, 0xFEFF},
     {0xFFA0, 0xFFA0},
     {0xFFF0, 0xFFFB},
     {0xE0000, 0xE0FFF}}};  // tags and more variation selectors

bool unprintable(char32_t c) {
  return within(unprintable_ranges, c) || (c & 0xFFFEU) == 0xFFFEU;
}

bool is_letter(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}

// True if GitHub's runner would execute the text at `at` as a command: `::stop-commands::x` at the start of a line (any
// word may become that when a table is folded), or `##[group]` anywhere. IPv6 addresses such as `::ffff:10.0.0.1` are
// no commands.
bool begins_command(std::string_view text, std::size_t at) {
  if (text.substr(at, 3) == "##[") {
    return true;
  }
  if (text.substr(at, 2) != "::" || (at > 0 && text[at - 1] != ' ' && text[at - 1] != '\t')) {
    return false;
  }
  for (std::size_t letter = at + 2; letter < text.size() && (is_letter(text[letter]) || text[letter] == '-');
       ++letter) {
    if (std::string_view("abcdefABCDEF").find(text[letter]) == std::string_view::npos) {
      return true;
    }
  }
  return false;
}

Glyph glyph_of(std::string_view character) {
  const char32_t c = documents::first_character(character);
  if (c == '\t') {
    return {std::string(tab_width, ' '), tab_width};
  }
  if (unprintable(c)) {
    const std::string escaped = c < 0x100 ? fmt::format("\\x{:02x}", static_cast<unsigned>(c))
                                          : fmt::format("\\u{{{:x}}}", static_cast<unsigned>(c));
    return {escaped, escaped.size()};
  }
  return {std::string(character), within(zero_width_ranges, c) ? 0U : within(wide_ranges, c) ? 2U : 1U};
}

// A fast test: true if every character can be printed as it is. True for nearly all texts.
bool is_plain(std::string_view text) {
  return std::all_of(text.begin(), text.end(),
                     [](char byte) { return byte >= ' ' && byte <= '~' && byte != ':' && byte != '#'; });
}

}  // namespace

std::vector<Glyph> glyphs_of(std::string_view text) {
  std::vector<Glyph> glyphs;
  const std::string_view whole = text;
  while (!text.empty()) {
    if ((text.front() == ':' || text.front() == '#') && begins_command(whole, whole.size() - text.size())) {
      glyphs.push_back({text.front() == ':' ? "\\x3a" : "\\x23", 4});
      text.remove_prefix(1);
      continue;
    }
    // Handles invalid UTF-8 too, because its diagnostic shows the line.
    std::size_t length = std::min(documents::bytes_of_character(text.front()), text.size());
    if (documents::find_invalid_utf8(text.substr(0, length))) {
      glyphs.push_back({fmt::format("\\x{:02x}", static_cast<unsigned char>(text.front())), 4});
      length = 1;
    } else {
      glyphs.push_back(glyph_of(text.substr(0, length)));
    }
    text.remove_prefix(length);
  }
  return glyphs;
}

std::string printable(std::string_view text) {
  if (is_plain(text)) {
    return std::string(text);
  }
  std::string out;
  for (const Glyph& glyph : glyphs_of(text)) {
    out += glyph.text;
  }
  return out;
}

std::string printable_lines(std::string_view text) {
  std::string lines;
  while (true) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    lines += printable(text.substr(0, end));
    if (end == text.size()) {
      return lines;
    }
    lines += '\n';
    text.remove_prefix(end + 1);
  }
}

std::size_t display_width(std::string_view text) {
  if (is_plain(text)) {
    return text.size();
  }
  std::size_t width = 0;
  for (const Glyph& glyph : glyphs_of(text)) {
    width += glyph.width;
  }
  return width;
}

}  // namespace spillway::documents
