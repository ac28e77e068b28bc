// The one conf that a client has for a destination, out of all the policies of a mesh, and which items it came from.
//
//   auto rule = resource_rule(policies, client, {.kind = "MeshMultiZoneService", .name = "backend"}, release_2_14);
//   rule->conf;        // merged, the most specific item last
//   rule->origins[0];  // the item that was applied first
//
// There are two paths with different precedence. Real resources ([R] and [H]): by top-level kind, origin, role, kind in
// `to`, and display name, of which the alphabetically smallest wins. Values of kuma.io/service ([R]): the kind in `to`
// does not count; items of one policy apply in list order; a policy with a MeshHTTPRoute item is left out.
// Source: docs/behaviour/kuma.md 3; Kuma's policies/core/rules. O(n log n) for n items.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "models/config/profile.hpp"
#include "models/kuma/client.hpp"
#include "models/kuma/mesh_load_balancing_strategy.hpp"

namespace spillway::kuma {

// A resource that items may name, or one port of it.
struct Destination {
  std::string kind = {};  // MeshService, MeshMultiZoneService, MeshExternalService, MeshHTTPRoute
  std::string name = {};
  Tags labels = {};
  std::string port_name = {};  // "": the service as a whole
  std::uint32_t port = 0;      // its number, for names such as backend_kuma-demo_svc_8080
};

// Which item of which policy.
struct RuleOrigin {
  std::size_t policy = 0;
  std::size_t item = 0;

  friend bool operator==(const RuleOrigin&, const RuleOrigin&) = default;
};

struct Rule {
  Conf conf = {};
  std::vector<RuleOrigin> origins = {};  // in the order in which they were applied
};

// Of a real resource. Nothing if no item concerns it; of a MeshHTTPRoute, if none names a route that it is, even where
// items for the whole mesh exist.
[[nodiscard]] std::optional<Rule> resource_rule(std::span<const Policy> policies, const Client& client,
                                                const Destination& destination, config::KumaProfile profile);

// Of a value of the tag kuma.io/service (2.14).
[[nodiscard]] std::optional<Rule> tag_rule(std::span<const Policy> policies, const Client& client,
                                           std::string_view service, config::KumaProfile profile);

// Positions of the policies that select the client, least specific first, as the tag path and the egress apply them.
[[nodiscard]] std::vector<std::size_t> in_tag_order(std::span<const Policy> policies);

}  // namespace spillway::kuma
