// How much an endpoint's service times vary.
#pragma once

#include "sim/scenario/scenario.hpp"

namespace spillway::plan {

// One plus the squared coefficient of variation.
[[nodiscard]] double one_and_squared_variation(const scenario::Endpoint& endpoint);

}  // namespace spillway::plan
