// Variation of an endpoint's service times.
#pragma once

#include "sim/scenario/forward.hpp"

namespace spillway::plan {

// Returns one plus the squared coefficient of variation.
[[nodiscard]] double one_and_squared_variation(const scenario::Endpoint& endpoint);

}  // namespace spillway::plan
