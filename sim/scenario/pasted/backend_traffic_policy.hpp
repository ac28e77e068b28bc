// Translates a BackendTrafficPolicy of Envoy Gateway to the fields of Envoy's clusters and routes that it becomes.
// Source: envoyproxy/gateway d32f2829, internal/xds/translator (cluster.go, route.go) and the defaults of its CRD.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "models/documents/diagnostic.hpp"
#include "sim/scenario/pasted/assumed_zones.hpp"

namespace spillway::documents {
struct Node;  // node.hpp
}  // namespace spillway::documents

namespace spillway::scenario::pasted {

struct GatewaySettings {
  Json cluster = {};  // fields of every cluster of the route, without a name
  Json action = {};   // fields of RouteAction
  Json delay = {};    // Envoy's FaultDelay; null if there is none
  bool prefers_zone = false;
  std::map<std::string, std::uint64_t> zone_weights = {};  // `weightedZones`
  bool hashes = false;
  std::vector<std::string> left_out = {};  // parts that are not simulated, in words

  // True if localities are zones, so that each backendRef has a cluster of its own.
  [[nodiscard]] bool by_zone() const noexcept { return prefers_zone || !zone_weights.empty(); }
};

// Returns Envoy Gateway's settings under the policy with this `spec`; null: without a policy. `of_service` is the least
// number of endpoints of a Service that turns on zone-aware routing by itself (PastedService), 0 otherwise. Reports
// unknown keys (SP020), values of another kind, and balancers that are not simulated (SP301), with their locations.
[[nodiscard]] GatewaySettings gateway_settings(const documents::Node* spec, std::uint64_t of_service,
                                               Diagnostics& problems);

// Adds that a retry avoids the hosts of earlier attempts, as every retry policy of Envoy Gateway has it.
void avoid_previous_hosts(Json& retry_policy);

// Returns the spec of a policy with `mergeType`: the parent's, with the fields of the child in place of its own.
[[nodiscard]] documents::Node merged_spec(documents::Node parent, const documents::Node& child);

}  // namespace spillway::scenario::pasted
