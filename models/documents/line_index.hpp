// Converts byte offsets in a text, which parsers use, to lines and columns, which people use.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>
#include <vector>

#include "models/documents/source.hpp"

namespace spillway::documents {

// An index of line starts. A span costs a binary search and its line's length. Lifetime: the text must outlive it.
class LineIndex {
 public:
  LineIndex(std::uint32_t file, std::string_view text);

  // Returns the characters [begin, end) of the text, cut at the end of the line of `begin`. Never empty: at the end of
  // a line or of the text it is the last character before.
  [[nodiscard]] Span span(std::size_t begin, std::size_t end) const;

 private:
  std::uint32_t file_;
  std::string_view text_;
  std::vector<std::size_t> starts_;  // of the lines
  // The last column computed on a line, so that a long line is not counted again for each span on it.
  mutable std::size_t last_begin_ = 0;
  mutable std::size_t last_column_ = 1;
};

}  // namespace spillway::documents
