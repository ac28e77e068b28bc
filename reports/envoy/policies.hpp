// Load-balancing policies as envoy.config.cluster.v3.LoadBalancingPolicy.
#pragma once

#include "reports/envoy/envoy_json.hpp"
#include "sim/scenario/written/pick_policies.hpp"

namespace spillway::reports::envoy_export {

[[nodiscard]] inline Json load_balancing_policy_json(const envoy::policies::Config& policy,
                                                     const config::LocalityConfigSpecifier& locality) {
  return json_of(scenario::written::write_load_balancing_policy(policy, locality));
}

}  // namespace spillway::reports::envoy_export
