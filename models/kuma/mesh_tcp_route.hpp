// MeshTCPRoute: which backends the connections to a destination go to, with Kuma's YAML keys.
//
// It counts for destinations whose protocol is not http, http2 or grpc, and for those too as long as no MeshHTTPRoute
// concerns them.
// Source: Kuma's meshtcproute/api/v1alpha1 and plugin/v1alpha1/listeners_backendrefs.go.
#pragma once

#include <optional>
#include <vector>

#include "models/kuma/splits.hpp"
#include "models/kuma/targeted_policy.hpp"

namespace spillway::kuma {

struct Violation;  // validation.hpp

struct TcpRule {
  std::optional<std::vector<BackendRef>> backendRefs = {};  // of default; absent or empty: the destination itself

  friend bool operator==(const TcpRule&, const TcpRule&) = default;
};

struct TcpRouteConf {
  std::vector<TcpRule> rules = {};  // one at most

  friend bool operator==(const TcpRouteConf&, const TcpRouteConf&) = default;
};

using MeshTCPRoute = TargetedPolicy<TcpRouteConf>;

// The patch alone counts: an item without rules leads to its own destination.
void merge_patch(TcpRouteConf& conf, const TcpRouteConf& patch);

// What Kuma's validator refuses, in its words.
[[nodiscard]] std::vector<Violation> validate(const MeshTCPRoute& policy, config::KumaProfile profile);

}  // namespace spillway::kuma
