// Finds the name that was probably meant, for "did you mean".
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace spillway {
struct Diagnostic;  // diagnostic.hpp
}  // namespace spillway

namespace spillway::grammar {

// Problems of a document up to which unknown keys get a suggestion. Nobody reads more, and seeking takes longest.
constexpr std::size_t most_with_suggestions = 1000;

// Returns the number of insertions, deletions, substitutions and swaps of neighbours that turn one text into the other
// (optimal string alignment). O(a * b).
[[nodiscard]] std::size_t edit_distance(std::string_view a, std::string_view b);

// Returns the candidate nearest to the written text; of equally near ones the one with the nearest letters, then the
// first. Empty if none is near: the distance may be at most a third of the longer text. Letter case is ignored, and
// `-`, `_` and spaces are equal.
[[nodiscard]] std::string nearest(std::string_view written, const std::vector<std::string>& candidates);

// Adds the help "did you mean `NAME`?" if a candidate is near.
void suggest(Diagnostic& problem, std::string_view written, const std::vector<std::string>& candidates);

}  // namespace spillway::grammar
