// What the policies with weighted schedules tell slow start, and what it asks of their schedules.
//
// Source: docs/behaviour/envoy-host-pick.md 9; Envoy's load_balancer_impl.cc (EdfLoadBalancerBase).
#pragma once

#include "models/config/slow_start.hpp"
#include "models/envoy/policies/pick_input.hpp"
#include "models/envoy/policies/weighted_schedules.hpp"
#include "models/health/slow_start.hpp"

namespace spillway::envoy::policies {

// Tells `slow_start` the hosts of `input` and says whether its factors may apply now. Linear; nothing where no slow
// start is configured.
[[nodiscard]] bool refresh_slow_start(health::SlowStart& slow_start, const config::SlowStartConfig& config,
                                      const PickStateInput& input);

[[nodiscard]] inline WeightedSchedules::EqualWeights equal_weights(const config::SlowStartConfig& config,
                                                                   bool slow_start_may_apply) noexcept {
  using enum WeightedSchedules::EqualWeights;
  return slow_start_may_apply ? schedule : config.slow_start_window.count() > 0 ? keep_schedule : no_schedule;
}

// Its field in the messages of these policies.
template <class Fields>
void describe_slow_start(Fields& fields, config::SlowStartConfig& config) {
  fields.unless_default("slow_start_config", config, message::Of<config::SlowStartConfig>{}, "of new hosts");
}

// Before 1.22 a host begins with nothing, whether anybody said so or not.
template <class Release>
void slow_start_in_release(Release& release, config::SlowStartConfig& config) {
  if (release.before(22)) {
    config.min_weight_percent = config::Percent{0.0};
  }
}

}  // namespace spillway::envoy::policies
