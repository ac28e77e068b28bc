// Load-balancing policies as envoy.config.cluster.v3.LoadBalancingPolicy, always in the typed form, which can say
// everything that a cluster's own fields can.
#pragma once

#include "models/config/common_lb_config.hpp"
#include "models/envoy/policies/registry.hpp"
#include "reports/envoy/envoy_json.hpp"

namespace spillway::reports::envoy_export {

[[nodiscard]] Json load_balancing_policy_json(const envoy::policies::Config& policy,
                                              const config::LocalityConfigSpecifier& locality);

}  // namespace spillway::reports::envoy_export
