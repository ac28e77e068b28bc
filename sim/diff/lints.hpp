// Warnings that come or go with a change.
#pragma once

#include <vector>

namespace spillway::diff {

class Side;   // side.hpp
struct Lint;  // difference.hpp

// One of the same code at the same place (places.hpp) stays, whatever it says and on whichever line. Gained first, each
// in the order of its file.
[[nodiscard]] std::vector<Lint> lints_of(const Side& before, const Side& after);

}  // namespace spillway::diff
