// The fewest endpoints of services that do not affect each other (independent.hpp): each part is searched as a scenario
// of its own. The number of layouts of all groups together is the product of theirs; one by one, it is the sum.
#pragma once

#include <functional>
#include <optional>
#include <vector>

#include "sim/plan/fewest.hpp"

namespace spillway::plan {

using SearchOfPart = std::function<FewestAndCheapest(const scenario::ScenarioTemplate& part, const Variants& variants,
                                                     const std::vector<Bound>& bounds, double most_work,
                                                     const std::function<void(double done)>& progress)>;

// Returns the layouts of the whole, with the groups of `base`, without their price and headroom; without a layout that
// some part does not have. nullopt if there is only one part, if a bound is on money or links that parts share, or if
// the file does not allow to read parts alone. `progress` may be empty.
[[nodiscard]] std::optional<FewestAndCheapest> fewest_of_parts(const scenario::ScenarioTemplate& base,
                                                               const Variants& variants,
                                                               const std::vector<Bound>& bounds,
                                                               const SearchOfPart& search,
                                                               const std::function<void(double done)>& progress);

}  // namespace spillway::plan
