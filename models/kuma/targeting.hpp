// Tests whether a policy selects a client: effect, zone, namespace, and the top-level targetRef.
//
//   selects(policy, client, release_2_14);   // false for a shadow policy, whatever it targets
//
// Source: docs/behaviour/kuma.md 3 (steps 1 to 4); Kuma's policies/core/matchers/dataplane.go. Linear in the tags.
#pragma once

#include "models/config/profile.hpp"
#include "models/kuma/client.hpp"
#include "models/kuma/mesh_load_balancing_strategy.hpp"

namespace spillway::kuma {

[[nodiscard]] bool selects(const Policy& policy, const Client& client, config::KumaProfile profile);

// True if the policy is labelled kuma.io/effect: shadow, so that it has no effect and only shows what it would do.
[[nodiscard]] bool is_shadow(const Policy& policy);

// Returns the precedence of the policy's origin: global < unknown < zone.
[[nodiscard]] int origin_rank(const Policy& policy);

// Returns the precedence of the policy's role: system < producer < consumer < workload-owner. Without a label the role
// is system.
[[nodiscard]] int role_rank(const Policy& policy);

// Returns the precedence of a kind: Mesh < Dataplane < MeshSubset < MeshGateway < MeshService < MeshExternalService <
// MeshMultiZoneService < MeshServiceSubset < MeshHTTPRoute; 0 for any other kind.
[[nodiscard]] int kind_rank(std::string_view kind);

}  // namespace spillway::kuma
