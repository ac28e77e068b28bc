#include "models/documents/line_index.hpp"

#include <algorithm>

#include "models/documents/utf8.hpp"

namespace spillway::documents {

LineIndex::LineIndex(std::uint32_t file, std::string_view text) : file_(file), text_(text) {
  starts_.push_back(0);
  for (std::size_t at = text.find('\n'); at != std::string_view::npos; at = text.find('\n', at + 1)) {
    starts_.push_back(at + 1);
  }
}

Span LineIndex::span(std::size_t begin, std::size_t end) const {
  if (text_.empty()) {
    return Span{file_, 1, 1, 1};
  }
  begin = std::min(begin, text_.size());
  // At the end of the text: the last visible character, so that the caret points at something.
  if (begin == text_.size()) {
    while (begin > 0 && (begin == text_.size() || text_[begin] == '\n' || text_[begin] == '\r')) {
      --begin;
    }
    while (begin > 0 && (static_cast<unsigned char>(text_[begin]) & 0xC0U) == 0x80U) {
      --begin;
    }
    end = begin + 1;
  }
  const auto after = std::upper_bound(starts_.begin(), starts_.end(), begin);
  const auto line = static_cast<std::size_t>(after - starts_.begin());
  const std::size_t start = starts_[line - 1];
  std::size_t line_end = after == starts_.end() ? text_.size() : *after - 1;
  if (line_end > begin && text_[line_end - 1] == '\r') {
    --line_end;
  }
  const bool known = last_begin_ >= start && last_begin_ <= begin;
  const std::size_t from = known ? last_begin_ : start;
  last_column_ = (known ? last_column_ : 1) + count_characters(text_.substr(from, begin - from));
  last_begin_ = begin;
  const std::size_t stop = std::clamp(end, begin, std::max(begin, line_end));
  const std::size_t length = std::max<std::size_t>(1, count_characters(text_.substr(begin, stop - begin)));
  return Span{file_, static_cast<std::uint32_t>(line), static_cast<std::uint32_t>(last_column_),
              static_cast<std::uint32_t>(length)};
}

}  // namespace spillway::documents
