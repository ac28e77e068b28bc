// The lines of a text, with their locations.
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

// Removes `[pod/NAME/CONTAINER] `, which `kubectl logs --prefix` puts before each line.
[[nodiscard]] std::string_view without_pod(std::string_view line) noexcept;

// Calls visit(const Line&) for each line, including empty ones, without the pod's name. Lines of blanks are empty:
// those of a shell are blanked when a file is read (models/documents/parse.cpp).
template <class Visit>
void for_each_line(std::string_view text, Visit visit) {
  std::uint32_t number = 0;
  for (std::size_t begin = 0; begin < text.size();) {
    const std::size_t end = std::min(text.find('\n', begin), text.size());
    const std::string_view whole = text.substr(begin, end - begin);
    const std::string_view line = whole.substr(0, whole.find_last_not_of(" \t\r") + 1);
    visit(Line{without_pod(line), ++number});
    begin = end + 1;
  }
}

// True if a line surrounds printed output in a copy of a terminal: the command, the requested path, or dots for omitted
// lines.
[[nodiscard]] bool is_of_a_terminal(std::string_view line) noexcept;

// Parses the entire text as a whole number of at most 64 bits.
[[nodiscard]] std::optional<std::uint64_t> whole_number(std::string_view text) noexcept;

// Parses the entire text as a finite number.
[[nodiscard]] std::optional<double> any_number(std::string_view text) noexcept;

// True if the first character other than white space opens a JSON object.
[[nodiscard]] bool looks_like_json(std::string_view text) noexcept;

}  // namespace spillway::observed
