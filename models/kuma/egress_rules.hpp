// What the zone egress of 2.14 takes from the policies for one service (mesh routing.zoneEgress).
//
//   auto rules = egress_rules(policies, {{"kuma.io/service", "backend"}});
//   whole_mesh_conf(rules);   // the only one that the egress applies; none: its list stays as it is
//
// A `to` item for the service is turned into a rule for the clients of the policy's top level. Policies by subsets
// combine into rules for tags and their absence; the egress, which stands for all clients, looks only for the rule of
// the empty subset. Where policies by two or more tag keys concern the service, no such rule is made, so that even a
// policy for the whole mesh is lost. Policies for a MeshGateway or Dataplane make no rule.
// Source: docs/behaviour/kuma.md 11; Kuma's matchers/egress.go, rules/rules.go.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "models/kuma/mesh_load_balancing_strategy.hpp"

namespace spillway::kuma {

struct SubsetTag {
  std::string key = {};
  std::string value = {};
  bool negated = false;  // any value but this one

  friend auto operator<=>(const SubsetTag&, const SubsetTag&) = default;
};

struct EgressRule {
  std::vector<SubsetTag> when = {};  // empty: all clients
  Conf conf = {};
};

// By the number of tags that are not negated, most first. `service_tags`: kuma.io/service at least. Exponential in the
// number of tag keys, as in Kuma.
[[nodiscard]] std::vector<EgressRule> egress_rules(std::span<const Policy> policies, const Tags& service_tags);

[[nodiscard]] std::optional<Conf> whole_mesh_conf(std::span<const EgressRule> rules);

}  // namespace spillway::kuma
