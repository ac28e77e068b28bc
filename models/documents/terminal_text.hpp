// Text as a terminal shows it: how wide it is, and nothing in it that could drive the terminal.
//
//   printable("a\x1b[31m")        // "a\\x1b[31m"
//   display_width("z\u00fcrich")  // 6
//
// By fixed tables, so that locale and C library have no say: wide East Asian characters and emoji take two columns,
// combining marks none.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace spillway::documents {

// One character, ready to print. A tab is four spaces; control characters, characters that hide or turn the direction
// of writing, and bytes that are not UTF-8 are escapes such as \x1b or \u{202e}.
struct Glyph {
  std::string text;
  std::size_t width;  // columns
};

[[nodiscard]] std::vector<Glyph> glyphs_of(std::string_view text);

// All glyphs one after the other: valid UTF-8, whatever came in.
[[nodiscard]] std::string printable(std::string_view text);

// Like printable(), but keeps line ends.
[[nodiscard]] std::string printable_lines(std::string_view text);

// Columns that printable(text) takes.
[[nodiscard]] std::size_t display_width(std::string_view text);

}  // namespace spillway::documents
