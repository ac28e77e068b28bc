// From byte offsets in a text, which parsers know, to lines and columns, which people count.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>
#include <vector>

#include "models/documents/source.hpp"

namespace spillway::documents {

// Built once in one pass over the text, which must outlive it; a span then costs a binary search and its line's length.
class LineIndex {
 public:
  LineIndex(std::uint32_t file, std::string_view text);

  // The characters [begin, end) of the text as far as they stand on the line of `begin`; never empty: at the end of a
  // line or of the text it is the last character before.
  [[nodiscard]] Span span(std::size_t begin, std::size_t end) const;

 private:
  std::uint32_t file_;
  std::string_view text_;
  std::vector<std::size_t> starts_;  // of the lines
  // The last column asked for on a line: a long line is not counted again for each span on it.
  mutable std::size_t last_begin_ = 0;
  mutable std::size_t last_column_ = 1;
};

}  // namespace spillway::documents
