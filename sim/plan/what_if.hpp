// Results of other settings: the overprovisioning factor, the panic threshold, Kuma's failover threshold.
#pragma once

#include <vector>

namespace spillway::plan {

class Variants;  // variants.hpp
struct Bound;    // objectives.hpp
struct Variant;  // variants.hpp
struct WhatIf;   // plan.hpp

// Returns a few usual values of each setting, and the scenario's own value. A setting that changes no result is left
// out. If services differ in a setting, no value is marked `now`. Kuma's thresholds are converted to the factors that
// its profile derives from them.
[[nodiscard]] std::vector<WhatIf> what_ifs_of(const Variants& variants, const Variant& variant,
                                              const std::vector<Bound>& bounds);

}  // namespace spillway::plan
