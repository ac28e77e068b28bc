#include <variant>

#include "models/envoy/policies/registry.hpp"
#include "models/envoy/policies/wrr_locality/policy.hpp"

namespace spillway::envoy::policies::wrr_locality {

Refusal refusal(const Config& /*config*/, const FoundChild& child) {
  if (!child.known) {
    return Reason{"No supported endpoint picking policy.", {"endpoint_picking_policy"}};
  }
  return child.policy == nullptr || fits(*child.policy)
             ? std::nullopt
             : Refusal(
                   Reason{"Currently WrrLocalityLoadBalancer only supports ClientSideWeightedRoundRobinLoadBalancer as "
                          "its endpoint picking policy.",
                          {"endpoint_picking_policy"}});
}

bool fits(const PolicyConfig& child) {
  return std::holds_alternative<client_side_weighted_round_robin::Config>(child.config);
}

}  // namespace spillway::envoy::policies::wrr_locality
