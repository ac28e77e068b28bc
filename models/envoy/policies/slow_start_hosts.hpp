// Updates slow start for the policies with weighted schedules.
//
// Source: docs/behaviour/envoy-host-pick.md 9; Envoy's load_balancer_impl.cc (EdfLoadBalancerBase).
#pragma once

#include "models/config/slow_start.hpp"
#include "models/envoy/policies/weighted_schedules.hpp"

namespace spillway::health {
class SlowStart;  // slow_start.hpp
}  // namespace spillway::health

namespace spillway::envoy::policies {

struct PickStateInput;  // pick_input.hpp

// Updates `slow_start` with the hosts of `input`. Returns true if its factors may apply now. Linear in hosts; O(1) if
// slow start is not configured.
[[nodiscard]] bool refresh_slow_start(health::SlowStart& slow_start, const config::SlowStartConfig& config,
                                      const PickStateInput& input);

[[nodiscard]] inline WeightedSchedules::EqualWeights equal_weights(const config::SlowStartConfig& config,
                                                                   bool slow_start_may_apply) noexcept {
  using enum WeightedSchedules::EqualWeights;
  return slow_start_may_apply ? schedule : config.slow_start_window.count() > 0 ? keep_schedule : no_schedule;
}

}  // namespace spillway::envoy::policies
