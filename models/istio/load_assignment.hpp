// The load assignment that istiod derives from a service for one proxy, with the rule that placed each group.
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

// The reason for the priority or the weight of a group.
enum class PlacedBy : std::uint8_t {
  nothing,            // one priority for all
  locality,           // region, zone and subzone compared with the proxy's
  failover,           // an entry of `failover`; `rule` is its position
  failover_priority,  // `rule` labels matched before the first mismatch; the number of labels if all match
  distribute,         // a key of `distribute`; `rule` is its position in `to`
  no_key,             // no key of `distribute` matches: the group's endpoints are left out
  region,             // zone-aware: only by region
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
  Labels labels = {};       // compared by failoverPriority
  std::string source = {};  // the document, or "gateway of network n2"
};

struct AssignedLocality {
  config::Locality locality = {};
  std::uint32_t priority = 0;
  std::uint32_t weight = 0;
  std::vector<AssignedEndpoint> endpoints = {};  // empty if the locality lost all its endpoints
  Placement placement = {};
};

// The reason why an endpoint of the service is not in the assignment.
enum class LeftOutBy : std::uint8_t { subset, health, node, cluster, address };
struct LeftOut {
  std::string address = {};
  LeftOutBy by = LeftOutBy::subset;
};

struct LoadAssignment {
  std::vector<AssignedLocality> localities = {};
  std::vector<LeftOut> left_out = {};
  EffectiveSetting setting = {};
  std::optional<std::size_t> distribute_entry = {};  // the entry that matched the proxy
};

struct AssignRequest {
  const Documents* documents = nullptr;
  const Proxy* proxy = nullptr;  // as returned by known()
  const Service* service = nullptr;
  std::uint32_t port = 0;
  Labels subset_labels = {};
  const TrafficPolicy* policy = nullptr;  // of this subset and port, without the mesh's default; null if there is none
};

// Returns the groups of endpoints that the proxy may see, all at priority 0. Endpoints of other networks are behind the
// gateways of these networks, if there are any. O(n log n).
[[nodiscard]] LoadAssignment grouped(const AssignRequest& request);

// Returns grouped() with priorities and weights by the effective setting.
[[nodiscard]] LoadAssignment assign(const AssignRequest& request);

// Applies the setting. `outlier_detection` is true if failover may act without being forced.
void apply(const EffectiveSetting& setting, const Proxy& proxy, bool outlier_detection, LoadAssignment& assignment);

// Translates the assignment for Envoy. Of equal addresses Envoy keeps the first; one gateway may appear in several
// localities. An address is "ip:port".
[[nodiscard]] config::ClusterLoadAssignment to_envoy(const LoadAssignment& assignment, std::string cluster_name);

// True if unready endpoints are sent, as UNHEALTHY.
[[nodiscard]] bool sends_unhealthy(const Service& service, const TrafficPolicy* policy, const Switches& switches);
// True if unready endpoints of the service are always sent; its panic threshold is then 0.
[[nodiscard]] bool always_sends_unhealthy(const Service& service, const Switches& switches);

// True if the mesh's settings keep a service's endpoints within the proxy's cluster.
[[nodiscard]] bool is_cluster_local(const std::string& hostname, const MeshConfig& mesh);

}  // namespace spillway::istio
