// The smallest set of endpoints that adds headroom: one of a group, or one in each of several zones.
#pragma once

#include "sim/scenario/forward.hpp"

namespace spillway::plan {

class Measurement;  // measurement.hpp
class Variants;     // variants.hpp
struct Plan;        // plan.hpp
struct Variant;     // variants.hpp

// Sets the plan's next step, or the reason why there is none. Of several sets of one size, takes the one with the most
// headroom for its price, or without prices the one with the most headroom. Sets of up to four groups are all tried; of
// more groups, first one of each and then as many fewer as possible. `measurement` is null if no bound is measured; a
// measured headroom is measured again with the set, if one replication sends at most 200,000 requests. There is none if
// no number of endpoints helps (`hopeless`).
//
// Precondition: `plan` has its rows, bounds, headroom and additions.
void add_next_step(const scenario::ScenarioTemplate& base, const Variants& variants, const Variant& variant,
                   const Measurement* measurement, bool hopeless, Plan& plan);

}  // namespace spillway::plan
