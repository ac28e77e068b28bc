// What the policy makes of the endpoint list of one cluster, for one client.
//
//   LoadAssignment assignment = assign({.endpoints = endpoints, .client = &client, .conf = conf});
//   assignment.localities[1].priority;                            // 1: another zone
//   assignment.localities[1].endpoints[0].placement;              // by rule 0 of crossZone.failover
//
// Other zones move behind the client's; then, if localZone or crossZone is present, every endpoint is placed anew: its
// own zone at priority 0 split by affinity tags, other zones at the priority of the rule that admits them, the rest
// dropped. Endpoint weights are carried over. A pure function of its input: two clients never see each other's result
// (cla_cache.hpp can play Kuma's defect that they do).
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

// What a cluster stands for.
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
  std::optional<Conf> conf = {};     // none: no policy concerns the destination
  bool zone_egress_enabled = false;  // 2.14: the mesh routes other zones through the egress
  config::KumaProfile profile = config::KumaProfile::release_2_14;
};

// O(n log n) for n endpoints, times the groups and rules that each has to be held against.
[[nodiscard]] LoadAssignment assign(const AssignInput& input);

// Whether the endpoints are placed anew. The document takes `localityAwareness: {}` for `localZone: {}`.
[[nodiscard]] bool rewrites_endpoints(const Conf& conf, config::KumaProfile profile);

}  // namespace spillway::kuma
