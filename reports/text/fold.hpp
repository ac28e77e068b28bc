// Fits text to the columns of a terminal.
//
//   folded(" lost     zone-1   verdict\n", 20)   // " lost     zone-1\n     verdict\n"
//   in_ascii("└─ a")                             // "+- a"
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace spillway::reports {

// Continues wider lines below, indented by four more columns than the line. Lines break between words, and within a
// word that is wider than a line. Colors (ESC [ ... m) take no columns. Precondition: `width` is 20 or more.
[[nodiscard]] std::string folded(std::string_view text, int width);

// Splits one line into one or more; all but the first are indented by `hang` more columns. Precondition: `hang` is less
// than `width`.
[[nodiscard]] std::vector<std::string> wrapped(std::string_view line, int width, int hang);

// Replaces box-drawing lines, dots and dashes by ASCII; all other characters stay.
[[nodiscard]] std::string in_ascii(std::string_view text);

}  // namespace spillway::reports
