// The number of lost endpoints at which traffic starts to leave a zone, and at which panic begins.
#pragma once

#include <vector>

#include "sim/scenario/forward.hpp"

namespace spillway::plan {

class Variants;  // variants.hpp
struct Onset;    // plan.hpp
struct Variant;  // variants.hpp

// Returns one onset per zone with clients and service that they request and that has endpoints there. Tries every
// number of lost endpoints up to 64 and bisects above, since more lost endpoints never bring traffic back. Services
// that share no client, endpoint or node are looked at one by one. `variants` and `variant` are of `base`.
[[nodiscard]] std::vector<Onset> onsets_of(const scenario::ScenarioTemplate& base, const Variants& variants,
                                           const Variant& variant);

}  // namespace spillway::plan
