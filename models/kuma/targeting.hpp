// Which policies select a client: effect, zone, namespace, and the top-level targetRef.
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

// Labelled kuma.io/effect: shadow, so that it only shows what it would do.
[[nodiscard]] bool is_shadow(const Policy& policy);

// Where the policy was made: global < unknown < zone in precedence.
[[nodiscard]] int origin_rank(const Policy& policy);

// system < producer < consumer < workload-owner; no label is system.
[[nodiscard]] int role_rank(const Policy& policy);

// Mesh < Dataplane < MeshSubset < MeshGateway < MeshService < MeshExternalService < MeshMultiZoneService <
// MeshServiceSubset < MeshHTTPRoute; 0 for any other kind.
[[nodiscard]] int kind_rank(std::string_view kind);

}  // namespace spillway::kuma
