// Warnings that come or go with a change.
#pragma once

#include <vector>

#include "sim/diff/difference.hpp"
#include "sim/diff/side.hpp"

namespace spillway::diff {

// One of the same code at the same place (places.hpp) stays, whatever it says and on whichever line. Gained first, each
// in the order of its file.
[[nodiscard]] std::vector<Lint> lints_of(const Side& before, const Side& after);

}  // namespace spillway::diff
