// The one conf that a client has for a destination, out of all the policies of a mesh, and which items it came from.
//
//   auto rule = resource_rule(policies, client, {.kind = "MeshMultiZoneService", .name = "backend"}, release_2_14);
//   rule->conf;        // merged, the most specific item last
//   rule->origins[0];  // the item that was applied first
//
// There are two paths with different precedence. Real resources ([R] and [H]) are ordered by top-level kind, origin,
// role, kind in `to`, and display name; the alphabetically smallest name wins. For values of kuma.io/service ([R]) the
// kind in `to` does not count, items of one policy apply in list order, and a policy with a MeshHTTPRoute item is
// ignored. Source: docs/behaviour/kuma.md 3; Kuma's policies/core/rules. O(n log n) for n items.
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
  std::string port_name = {};  // "" for the service as a whole
  std::uint32_t port = 0;      // its number, for names such as backend_kuma-demo_svc_8080
};

// The position of an item in a list of policies.
struct RuleOrigin {
  std::size_t policy = 0;
  std::size_t item = 0;

  friend bool operator==(const RuleOrigin&, const RuleOrigin&) = default;
};

struct Rule {
  Conf conf = {};
  std::vector<RuleOrigin> origins = {};  // in the order in which they were applied
};

// Returns the rule for a real resource; nullopt if no item concerns it. For a MeshHTTPRoute it is nullopt if no item
// names this route, even if items for the whole mesh exist.
[[nodiscard]] std::optional<Rule> resource_rule(std::span<const Policy> policies, const Client& client,
                                                const Destination& destination, config::KumaProfile profile);

// Returns the rule for a value of the tag kuma.io/service (2.14).
[[nodiscard]] std::optional<Rule> tag_rule(std::span<const Policy> policies, const Client& client,
                                           std::string_view service, config::KumaProfile profile);

// Returns the policies' positions, least specific first, as the tag path and the egress apply them.
[[nodiscard]] std::vector<std::size_t> in_tag_order(std::span<const Policy> policies);

}  // namespace spillway::kuma
