// The smallest number of endpoints that survives every failure.
//
// The search goes up from the numbers of the file, and from as many in every group of a service, until it finds some
// that are enough. From there it goes down: first in big steps, the least busy groups first, then in steps of one, then
// by exchanges that save one in all; among equal totals the one whose busiest endpoint has most left. Then it tries
// every smaller total that what each group needs, all others being plenty, does not rule out. More endpoints may do
// harm where panic sends requests to those that are lost; then nothing is ruled out. What is found is enough, and is
// not once any single endpoint is taken away; that nothing smaller is enough is claimed only where all of it was tried.
// The search is bounded by the endpoints that it has looked at.
#pragma once

#include <functional>
#include <optional>

#include "sim/plan/plan.hpp"

namespace spillway::plan {

// Nothing if no number of endpoints that was tried is enough. Groups keep one endpoint at least. `bounded` says whether
// the search ended early.
[[nodiscard]] std::optional<Fewest> fewest_endpoints(const scenario::ScenarioTemplate& base, const Worlds& worlds,
                                                     const std::vector<Bound>& bounds, bool& bounded);

}  // namespace spillway::plan
