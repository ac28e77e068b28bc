// The link between policies with weighted schedules and slow start.
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

// Tells `slow_start` the hosts of `input` and says whether its factors may apply now. Linear; nothing where no slow
// start is configured.
[[nodiscard]] bool refresh_slow_start(health::SlowStart& slow_start, const config::SlowStartConfig& config,
                                      const PickStateInput& input);

[[nodiscard]] inline WeightedSchedules::EqualWeights equal_weights(const config::SlowStartConfig& config,
                                                                   bool slow_start_may_apply) noexcept {
  using enum WeightedSchedules::EqualWeights;
  return slow_start_may_apply ? schedule : config.slow_start_window.count() > 0 ? keep_schedule : no_schedule;
}

}  // namespace spillway::envoy::policies
