// The smallest number of endpoints that survives every failure.
//
// The search starts from the file's counts, and from equal counts in every group of a service. It adds endpoints until
// a layout is enough. If scaling everything up does not help, it adds a few endpoints to some groups.
//
// Then it bisects the box of all smaller layouts, smallest possible totals first. A box is discarded if its largest
// layout has too few endpoints for its load (Layouts::ruled_out). If bisection ends, no smaller layout is enough by
// load. Panic and fractional health can make fewer endpoints have less load. If there are few layouts, those with fewer
// endpoints are therefore evaluated one by one.
//
// If bisection becomes too long, single endpoints are removed and exchanged while that reduces the total. The layouts
// that were not ruled out give a lower bound of the total.
//
// If totals are equal, the search takes the layout whose busiest endpoint has most headroom, then the one with the
// least costs of traffic. The result is confirmed
// with all replications, and removing any single endpoint makes it insufficient. The search is bounded by the number of
// endpoints evaluated.
#pragma once

#include <functional>
#include <optional>
#include <vector>

#include "sim/plan/layout.hpp"
#include "sim/scenario/forward.hpp"

namespace spillway::plan {

class Variants;  // variants.hpp
struct Bound;    // objectives.hpp

struct FewestAndCheapest {
  std::optional<Fewest> fewest = {};    // nullopt if no count that was tried is enough
  std::optional<Fewest> cheapest = {};  // nullopt also if a group has no price
  std::optional<Fewest> purchase = {};  // with no fewer endpoints of any group than now; nullopt if not asked for
  bool bounded = false;                 // the search ended early
};

// Groups keep at least one endpoint. With `purchase`, searches what must be added to the present ones: the cheapest, or
// the fewest if a group has no price. `progress` receives the done fraction of the work that may still be needed; it
// may be empty.
[[nodiscard]] FewestAndCheapest fewest_endpoints(const scenario::ScenarioTemplate& base, const Variants& variants,
                                                 const std::vector<Bound>& bounds, bool purchase = false,
                                                 const std::function<void(double done)>& progress = {});

// Returns the sum of prices of these parts, per hour; nullopt if a group has no price.
[[nodiscard]] std::optional<double> price_of(const std::vector<Part>& parts);

}  // namespace spillway::plan
