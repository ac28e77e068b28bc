// MeshTCPRoute: which backends the connections to a destination go to, with Kuma's YAML keys.
//
// Source: Kuma's meshtcproute/api/v1alpha1.
#pragma once

#include <optional>
#include <vector>

#include "models/kuma/splits.hpp"
#include "models/kuma/targeted_policy.hpp"

namespace spillway::kuma {

struct TcpRule {
  std::optional<std::vector<BackendRef>> backendRefs = {};  // of default; absent or empty: the destination itself

  friend bool operator==(const TcpRule&, const TcpRule&) = default;
};

struct TcpRouteConf {
  std::vector<TcpRule> rules = {};  // one at most

  friend bool operator==(const TcpRouteConf&, const TcpRouteConf&) = default;
};

using MeshTCPRoute = TargetedPolicy<TcpRouteConf>;

}  // namespace spillway::kuma
