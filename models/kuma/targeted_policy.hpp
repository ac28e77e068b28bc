// A policy whose items set a conf of one kind for the destinations that they name. MeshHTTPRoute, MeshTCPRoute,
// MeshCircuitBreaker, MeshHealthCheck and MeshLoadBalancingStrategy have this structure in common.
//
//   TargetedPolicy<HealthCheckConf> policy{.name = "probe"};
//   policy.to.emplace().push_back({.targetRef = TargetRef{.kind = "Mesh"}});
//   PolicySet<HealthCheckConf>({policy}).of_resource(client, destination, profile);   // policy_confs.hpp
//
// Source: docs/behaviour/kuma.md 2, 3.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "models/kuma/mesh_load_balancing_strategy.hpp"

namespace spillway::kuma {

template <class Conf>
struct TargetedItem {
  std::optional<TargetRef> targetRef = {};
  Conf default_ = {};

  friend bool operator==(const TargetedItem&, const TargetedItem&) = default;
};

template <class Conf>
struct TargetedPolicy {
  std::string name = {};
  Tags labels = {};
  std::optional<TargetRef> targetRef = {};  // absent means kind Mesh
  std::optional<std::vector<TargetedItem<Conf>>> to = {};

  friend bool operator==(const TargetedPolicy&, const TargetedPolicy&) = default;
};

}  // namespace spillway::kuma
