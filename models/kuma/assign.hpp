// Applies the policy to the endpoint list of one cluster, for one client.
//
//   LoadAssignment assignment = assign({.endpoints = endpoints, .client = &client, .conf = conf});
//   assignment.localities[1].priority;                            // 1: another zone
//   assignment.localities[1].endpoints[0].placement;              // by rule 0 of crossZone.failover
//
// Other zones move behind the client's. If localZone or crossZone is present, every endpoint is then placed again. The
// client's own zone gets priority 0, split by affinity tags. Other zones get the priority of the rule that admits them;
// the rest is dropped. Endpoint weights are carried over. The result is a pure function of the input: two clients never
// see each other's result (cla_cache.hpp can simulate Kuma's defect that they do).
// Source: docs/behaviour/kuma.md 5, 6, 11; Kuma's meshloadbalancingstrategy plugin.
#pragma once

#include <cstdint>
#include <optional>
#include <span>

#include "models/config/profile.hpp"
#include "models/kuma/client.hpp"
#include "models/kuma/endpoint.hpp"
#include "models/kuma/load_assignment.hpp"
#include "models/kuma/mesh_load_balancing_strategy.hpp"

namespace spillway::kuma {

// The kind of destination that a cluster represents.
enum class DestinationModel : std::uint8_t {
  tag,  // 2.14: a value of kuma.io/service
  mesh_service,
  mesh_multi_zone_service,
  mesh_external_service,
};

struct AssignInput {
  std::span<const Endpoint> endpoints = {};
  const Client* client = nullptr;  // never null
  DestinationModel destination = DestinationModel::mesh_multi_zone_service;
  std::optional<Conf> conf = {};     // nullopt if no policy concerns the destination
  bool zone_egress_enabled = false;  // 2.14: the mesh routes other zones through the egress
  config::KumaProfile profile = config::KumaProfile::release_2_14;
};

// Returns the load assignment. O(n log n) for n endpoints, times the groups and rules that each endpoint is tested
// against.
[[nodiscard]] LoadAssignment assign(const AssignInput& input);

// True if the endpoints are placed again. The profile `document` treats `localityAwareness: {}` as `localZone: {}`.
[[nodiscard]] bool rewrites_endpoints(const Conf& conf, config::KumaProfile profile);

}  // namespace spillway::kuma
