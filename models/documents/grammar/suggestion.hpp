// "did you mean".
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace spillway::grammar {

// Insertions, deletions, substitutions and swaps of neighbours that turn one text into the other (optimal string
// alignment). O(a * b).
[[nodiscard]] std::size_t edit_distance(std::string_view a, std::string_view b);

// The candidate nearest to what was written, of equals the one with the nearest letters, then the first; empty if none
// is near enough to be meant: at most a third of the longer one's length away, letter case and `-`, `_` and spaces
// counting as alike.
[[nodiscard]] std::string nearest(std::string_view written, const std::vector<std::string>& candidates);

}  // namespace spillway::grammar
