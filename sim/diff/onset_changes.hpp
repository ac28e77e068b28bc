// Partial loss: the number of lost endpoints from which traffic leaves a zone or panics, on both sides.
#pragma once

#include <vector>

#include "sim/diff/difference.hpp"
#include "sim/diff/side.hpp"

namespace spillway::diff {

// Returns the zones and services whose numbers differ, in the order of the newer side. Empty for Envoy documents, which
// describe no traffic, and for more than 2,000 endpoints. Takes one plan::onsets_of() per side.
[[nodiscard]] std::vector<OnsetChange> onset_changes(const Side& before, const Side& after, Nanoseconds at);

}  // namespace spillway::diff
