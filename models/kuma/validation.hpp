// Violations for which Kuma refuses a policy, in Kuma's words, with the path of the field.
//
//   for (const Violation& violation : admit(policy.spec, release_2_14)) {
//     report(violation.field, violation.message);   // spec.to[0].default.hashPolicies[1].cookie: must be defined
//   }
//
// Kuma refuses in two layers: the OpenAPI schema first; only policies that pass the schema reach the validator. The set
// of messages is fixed; the schema's messages come in the order of the fields here. Values of a wrong type (a text
// instead of a number) are refused earlier, by the reader. Source: docs/behaviour/kuma.md 2; Kuma's
// api/v1alpha1/validator.go, rest.yaml, core/resources/apis/mesh. Linear in the size of the policy.
#pragma once

#include <string>
#include <vector>

#include "models/config/profile.hpp"
#include "models/kuma/mesh_load_balancing_strategy.hpp"

namespace spillway::kuma {

struct Violation {
  std::string field = {};  // "" if Kuma names none
  std::string message = {};

  friend bool operator==(const Violation&, const Violation&) = default;
};

// Returns the violations of the first layer. If Kuma's message has no field, the message text may contain the path.
[[nodiscard]] std::vector<Violation> schema_violations(const MeshLoadBalancingStrategy& spec,
                                                       config::KumaProfile profile);

// Returns the violations of the second layer only.
[[nodiscard]] std::vector<Violation> validate(const MeshLoadBalancingStrategy& spec, config::KumaProfile profile);

// Returns the violations that a user sees: the schema's, or if there are none, the validator's.
[[nodiscard]] std::vector<Violation> admit(const MeshLoadBalancingStrategy& spec, config::KumaProfile profile);

}  // namespace spillway::kuma
