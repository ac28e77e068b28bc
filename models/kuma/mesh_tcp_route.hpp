// MeshTCPRoute: which backends the connections to a destination go to, with Kuma's YAML keys.
//
// It applies to destinations whose protocol is not http, http2 or grpc. It also applies to http, http2 and grpc
// destinations if no MeshHTTPRoute concerns them.
// Source: Kuma's meshtcproute/api/v1alpha1 and plugin/v1alpha1/listeners_backendrefs.go.
#pragma once

#include <optional>
#include <vector>

#include "models/config/profile.hpp"
#include "models/kuma/backend_ref.hpp"
#include "models/kuma/targeted_policy.hpp"

namespace spillway::kuma {

struct Violation;  // validation.hpp

struct TcpRule {
  std::optional<std::vector<BackendRef>> backendRefs = {};  // of default; absent or empty means the destination itself

  friend bool operator==(const TcpRule&, const TcpRule&) = default;
};

struct TcpRouteConf {
  std::vector<TcpRule> rules = {};  // at most one

  friend bool operator==(const TcpRouteConf&, const TcpRouteConf&) = default;
};

using MeshTCPRoute = TargetedPolicy<TcpRouteConf>;

// Replaces the conf by the patch: an item without rules routes to its own destination.
void merge_patch(TcpRouteConf& conf, const TcpRouteConf& patch);

// Returns the violations that Kuma's validator reports, in Kuma's words.
[[nodiscard]] std::vector<Violation> validate(const MeshTCPRoute& policy, config::KumaProfile profile);

}  // namespace spillway::kuma
