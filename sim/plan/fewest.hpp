// The smallest number of endpoints that survives every failure.
//
// The search goes down from numbers that are enough: first in big steps, the least busy groups first, then in steps of
// one, then by exchanges that save one in all; among equal totals the one whose busiest endpoint has most left. Then it
// tries every smaller total that what each group needs, all others being plenty, does not rule out. That is a proof
// where more endpoints never do harm; it is given up where it takes too long.
#pragma once

#include <functional>
#include <optional>

#include "sim/plan/plan.hpp"

namespace spillway::plan {

// Nothing if no number of endpoints that may change is enough. Groups keep one endpoint at least.
[[nodiscard]] std::optional<Fewest> fewest_endpoints(const scenario::ScenarioTemplate& base, const Worlds& worlds,
                                                     const std::vector<Bound>& bounds);

}  // namespace spillway::plan
