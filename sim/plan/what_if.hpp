// What other settings would give: the overprovisioning factor, the panic threshold, Kuma's failover threshold.
#pragma once

#include <vector>

namespace spillway::plan {

class Variants;  // variants.hpp
struct Bound;    // objectives.hpp
struct Variant;  // variants.hpp
struct WhatIf;   // plan.hpp

// A few usual values of each and the one that the scenario has. A setting without influence on any number is left out;
// where services differ in it, none is `now`. Kuma's thresholds stand for the factors that its profile makes of them.
[[nodiscard]] std::vector<WhatIf> what_ifs_of(const Variants& variants, const Variant& variant,
                                              const std::vector<Bound>& bounds);

}  // namespace spillway::plan
