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
// If totals are equal, the search takes the layout whose busiest endpoint has most headroom. The result is confirmed
// with all replications, and removing any single endpoint makes it insufficient. The search is bounded by the number of
// endpoints evaluated.
#pragma once

#include <functional>
#include <optional>
#include <vector>

namespace spillway::scenario {
class ScenarioTemplate;  // scenario_template.hpp
}  // namespace spillway::scenario

namespace spillway::plan {

class Variants;  // variants.hpp
struct Bound;    // objectives.hpp
struct Fewest;   // plan.hpp

// Returns nullopt if no count that was tried is enough. Groups keep at least one endpoint. `bounded` is set to true if
// the search ended early. `progress` receives the done fraction of the work that may still be needed; it may be empty.
[[nodiscard]] std::optional<Fewest> fewest_endpoints(const scenario::ScenarioTemplate& base, const Variants& variants,
                                                     const std::vector<Bound>& bounds, bool& bounded,
                                                     const std::function<void(double done)>& progress = {});

}  // namespace spillway::plan
