// The load assignment that istiod makes of a service for one proxy, with the rule that placed each group.
//
//   LoadAssignment made = assign(request);
//   made.localities[0].priority;
//   made.localities[0].placement.by;   // what decided it
//
// Source: docs/behaviour/istio.md 2, 6; istiod's pilot/pkg/xds/endpoints/endpoint_builder.go,
// pilot/pkg/networking/core/loadbalancer/loadbalancer.go.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "models/config/locality.hpp"
#include "models/istio/locality_setting.hpp"
#include "models/istio/names.hpp"
#include "models/istio/registry.hpp"

namespace spillway::config {
struct ClusterLoadAssignment;  // cluster_load_assignment.hpp
}  // namespace spillway::config

namespace spillway::istio {

struct Proxy;  // proxy.hpp

// What decided the priority or the weight of a group.
enum class PlacedBy : std::uint8_t {
  nothing,            // one priority for all
  locality,           // region, zone and subzone compared with the proxy's
  failover,           // an entry of `failover`; `rule` is its position
  failover_priority,  // `rule` labels matched before the first that does not; their number if all do
  distribute,         // a key of `distribute`; `rule` is its position in `to`
  no_key,             // no key of `distribute` matches: its endpoints are left out
  region,             // zone-aware: by region alone
};

struct Placement {
  PlacedBy by = PlacedBy::nothing;
  std::size_t rule = 0;

  friend bool operator==(const Placement&, const Placement&) = default;
};

struct AssignedEndpoint {
  std::string address = {};
  std::uint32_t port = 0;
  std::uint32_t weight = 1;
  EndpointHealth health = EndpointHealth::unknown;
  Labels labels = {};       // what failoverPriority compares
  std::string source = {};  // the document, or "gateway of network n2"
};

struct AssignedLocality {
  config::Locality locality = {};
  std::uint32_t priority = 0;
  std::uint32_t weight = 0;
  std::vector<AssignedEndpoint> endpoints = {};  // empty: the locality lost them
  Placement placement = {};
};

// Why an endpoint of the service is not in the assignment.
enum class LeftOutBy : std::uint8_t { subset, health, node, cluster, address };
struct LeftOut {
  std::string address = {};
  LeftOutBy by = LeftOutBy::subset;
};

struct LoadAssignment {
  std::vector<AssignedLocality> localities = {};
  std::vector<LeftOut> left_out = {};
  EffectiveSetting setting = {};
  std::optional<std::size_t> distribute_entry = {};  // that matched the proxy
};

struct AssignRequest {
  const Documents* documents = nullptr;
  const Proxy* proxy = nullptr;  // as known() made it
  const Service* service = nullptr;
  std::uint32_t port = 0;
  Labels subset_labels = {};
  const TrafficPolicy* policy = nullptr;  // of this subset and port, without the mesh's default; null: none
};

// The groups of endpoints that the proxy may see, behind gateways of other networks where these have any; all at
// priority 0. O(n log n).
[[nodiscard]] LoadAssignment grouped(const AssignRequest& request);

// The same with priorities and weights by the setting in force.
[[nodiscard]] LoadAssignment assign(const AssignRequest& request);

// Applies the setting; `outlier_detection`: whether failover may act without being forced.
void apply(const EffectiveSetting& setting, const Proxy& proxy, bool outlier_detection, LoadAssignment& assignment);

// What Envoy takes: of equal addresses it keeps the first, as where one gateway stands for several localities. An
// address is "ip:port".
[[nodiscard]] config::ClusterLoadAssignment to_envoy(const LoadAssignment& assignment, std::string cluster_name);

// Whether unready endpoints are sent, as UNHEALTHY.
[[nodiscard]] bool sends_unhealthy(const Service& service, const TrafficPolicy* policy, const Switches& switches);
// Whether the service is such that they always are: its panic threshold is then 0.
[[nodiscard]] bool always_sends_unhealthy(const Service& service, const Switches& switches);

// Whether the mesh's settings keep a service's endpoints within the proxy's cluster.
[[nodiscard]] bool is_cluster_local(const std::string& hostname, const MeshConfig& mesh);

}  // namespace spillway::istio
