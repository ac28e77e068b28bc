// Prepares text for a terminal: computes its width, and escapes everything that could control the terminal.
//
//   printable("a\x1b[31m")        // "a\\x1b[31m"
//   display_width("z\u00fcrich")  // 6
//
// Uses fixed tables, so the result does not depend on the locale or the C library. Wide East Asian characters and emoji
// take two columns, combining marks none.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace spillway::documents {

// One printable character. A tab becomes four spaces. Control characters, invisible characters, direction marks and
// bytes that are not UTF-8 become escapes such as \x1b or \u{202e}.
struct Glyph {
  std::string text;
  std::size_t width;  // [columns]
};

[[nodiscard]] std::vector<Glyph> glyphs_of(std::string_view text);

// Returns all glyphs concatenated. Always valid UTF-8.
[[nodiscard]] std::string printable(std::string_view text);

// Like printable(), but keeps line ends.
[[nodiscard]] std::string printable_lines(std::string_view text);

// Returns the number of columns of printable(text).
[[nodiscard]] std::size_t display_width(std::string_view text);

}  // namespace spillway::documents
