// Text of a terminal within its columns.
//
//   folded(" lost     zone-1   verdict\n", 20)   // " lost     zone-1\n     verdict\n"
//   in_ascii("└─ a")                             // "+- a"
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace spillway::reports {

// Lines that are wider go on below, four columns further in than they begin; they break between words, and within one
// that is wider than a line. Colors (ESC [ ... m) take no columns. `width` is 20 or more.
[[nodiscard]] std::string folded(std::string_view text, int width);

// One line as several, the further ones `hang` columns further in; at least one. `hang` is less than `width`.
[[nodiscard]] std::vector<std::string> wrapped(std::string_view line, int width, int hang);

// Lines of boxes, dots and dashes as they are written without Unicode; all other characters stay.
[[nodiscard]] std::string in_ascii(std::string_view text);

}  // namespace spillway::reports
