// Results of other settings, in the words of the scenario's documents: Envoy's overprovisioning factor, Kuma's failover
// threshold or Istio's preference of localities, the panic threshold, the most hosts that are ejected.
#pragma once

#include <vector>

namespace spillway::plan {

class Variants;  // variants.hpp
struct Bound;    // objectives.hpp
struct Effort;   // variants.hpp
struct Variant;  // variants.hpp
struct WhatIf;   // plan.hpp

// Returns a few usual values of each setting, and the scenario's own value. A setting that changes no result is left
// out. If services differ in a setting, no value is marked `now`. Kuma's thresholds are converted to the factors that
// its profile derives from them. Counted rows send at most 100,000 requests per replication (Effort::enough_requests).
[[nodiscard]] std::vector<WhatIf> what_ifs_of(const Variants& variants, const Variant& variant, Effort effort,
                                              const std::vector<Bound>& bounds);

}  // namespace spillway::plan
