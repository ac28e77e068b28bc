// Rules that the zone egress of 2.14 derives from the policies for one service (mesh routing.zoneEgress).
//
//   auto rules = egress_rules(policies, {{"kuma.io/service", "backend"}});
//   whole_mesh_conf(rules);   // the only one that the egress applies; none: its list stays as it is
//
// Each `to` item for the service becomes a rule for the clients of the policy's top-level targetRef. Policies for
// subsets combine into rules for tags and their absence. The egress acts for all clients, so it looks only for the rule
// of the empty subset. If policies with two or more tag keys concern the service, no such rule is made, and even a
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
  std::vector<SubsetTag> when = {};  // empty for all clients
  Conf conf = {};
};

// Returns the rules, those with the most tags that are not negated first. Precondition: `service_tags` contain
// kuma.io/service. Exponential in the number of tag keys, as in Kuma.
[[nodiscard]] std::vector<EgressRule> egress_rules(std::span<const Policy> policies, const Tags& service_tags);

[[nodiscard]] std::optional<Conf> whole_mesh_conf(std::span<const EgressRule> rules);

}  // namespace spillway::kuma
