// The smallest number of endpoints that survives every failure.
//
// The search goes up from the numbers of the file, and from as many in every group of a service, until it finds some
// that are enough, and where more of everything does not help from a few more in some groups. Then it takes all smaller
// layouts together and halves them again and again, those that may be smallest first: where the largest of some has too
// few endpoints for its load, all of these have (Layouts::ruled_out). If that ends, nothing smaller is enough: where
// there are few layouts, those with fewer endpoints are looked at one by one, for panic and health of a fraction can
// make fewer endpoints have less to do. If it becomes too long, single endpoints are taken away and exchanged as long
// as that saves some, and what was not ruled out says how many are needed at least. Among equal totals it takes the one
// whose busiest endpoint has most left. What is found is enough with all replications, and is not once any single
// endpoint is taken away. The search is bounded by the endpoints that it has looked at.
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

// Nothing if no number of endpoints that was tried is enough. Groups keep one endpoint at least. `bounded` says whether
// the search ended early. `progress` is told the part of the work that it may still do which is done; it may
// be empty.
[[nodiscard]] std::optional<Fewest> fewest_endpoints(const scenario::ScenarioTemplate& base, const Variants& variants,
                                                     const std::vector<Bound>& bounds, bool& bounded,
                                                     const std::function<void(double done)>& progress = {});

}  // namespace spillway::plan
