#include "sim/sweep/lasting_overload.hpp"

#include <algorithm>

#include "sim/plan/objectives.hpp"
#include "sim/scenario/scenario.hpp"

namespace spillway::sweep {

std::optional<double> lasting_overload(const plan::Variants& variants, const plan::Variant& variant,
                                       const plan::Failure& failure) {
  scenario::Scenario still = variants.still(variant, failure);
  const auto loads = variants.loads_by_shares(variant, failure, still);
  if (!loads) {
    return std::nullopt;
  }
  // Objectives that any result meets leave the stability of every service as the only bound.
  still.objectives = {scenario::Objective{.error_share = 1.0}};
  std::optional<double> most;
  for (const plan::Margin& margin : plan::margins_of(*loads, plan::bounds_of(still))) {
    if (margin.bound.below && margin.bound.metric == plan::Metric::utilisation && !margin.holds()) {
      most = std::max(most.value_or(0.0), margin.value);
    }
  }
  return most;
}

}  // namespace spillway::sweep
