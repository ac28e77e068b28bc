// Overload that a run is too short to show: a queue without a limit that gets more than its cores can work off.
//
//   lasting_overload(variants, *variant, variant->failures.front());   // 1.95: clients ask for 195 % of some cores
#pragma once

#include <optional>

#include "sim/plan/variants.hpp"

namespace spillway::sweep {

// Returns the utilisation of the busiest endpoint whose queue grows for as long as the state lasts (stability.hpp); at
// least 1. nullopt if there is none, if only users who wait for responses ask for it, or if loads do not follow from
// shares.
[[nodiscard]] std::optional<double> lasting_overload(const plan::Variants& variants, const plan::Variant& variant,
                                                     const plan::Failure& failure);

}  // namespace spillway::sweep
