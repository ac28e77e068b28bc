// The lines of a text, with their places.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

#include "models/documents/source.hpp"
#include "models/documents/utf8.hpp"

namespace spillway::observed {

struct Line {
  std::string_view text;  // without its end, and without a carriage return before it
  std::uint32_t number = 0;

  [[nodiscard]] Span span(std::uint32_t file) const {
    const auto length = static_cast<std::uint32_t>(documents::count_characters(text));
    return {file, number, 1, length == 0 ? 1 : length};
  }
};

// Calls visit(const Line&) for each, the empty ones too.
template <class Visit>
void for_each_line(std::string_view text, Visit visit) {
  std::uint32_t number = 0;
  for (std::size_t begin = 0; begin < text.size();) {
    const std::size_t end = std::min(text.find('\n', begin), text.size());
    std::string_view line = text.substr(begin, end - begin);
    if (line.ends_with('\r')) {
      line.remove_suffix(1);
    }
    visit(Line{line, ++number});
    begin = end + 1;
  }
}

// Whether a line is what stands around a printed answer in a copy of a terminal: the command that asked, the path that
// was asked, dots for what is left out.
[[nodiscard]] bool is_of_a_terminal(std::string_view line) noexcept;

// A whole number of at most 64 bits that is all of the text.
[[nodiscard]] std::optional<std::uint64_t> whole_number(std::string_view text) noexcept;

// Any finite number that is all of the text.
[[nodiscard]] std::optional<double> any_number(std::string_view text) noexcept;

// Whether the first character that is no white space opens an object of JSON.
[[nodiscard]] bool looks_like_json(std::string_view text) noexcept;

}  // namespace spillway::observed
