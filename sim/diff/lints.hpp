// Warnings that are new or resolved after a change.
#pragma once

#include <vector>

namespace spillway::diff {

class Side;   // side.hpp
struct Lint;  // difference.hpp

// Returns new and resolved warnings. A warning with the same code at the same place (places.hpp) is unchanged, even if
// its text or line differs. New ones come first, each side in the order of its file.
[[nodiscard]] std::vector<Lint> lints_of(const Side& before, const Side& after);

}  // namespace spillway::diff
