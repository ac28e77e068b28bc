// What Kuma refuses of a policy, in its words, with the path of the field.
//
//   for (const Violation& violation : admit(policy.spec, release_2_14)) {
//     report(violation.field, violation.message);   // spec.to[0].default.hashPolicies[1].cookie: must be defined
//   }
//
// Kuma refuses in two layers: the OpenAPI schema first, and only what passes it is seen by the validator. Which
// messages come is fixed; the schema's own come in the order of the fields here. Types of values (a text where a number
// belongs) are the reader's to refuse.
// Source: docs/behaviour/kuma.md 2; Kuma's api/v1alpha1/validator.go, rest.yaml, core/resources/apis/mesh.
// Linear in the size of the policy.
#pragma once

#include <string>
#include <vector>

#include "models/config/profile.hpp"
#include "models/kuma/mesh_load_balancing_strategy.hpp"

namespace spillway::kuma {

struct Violation {
  std::string field = {};  // "" where Kuma names none
  std::string message = {};

  friend bool operator==(const Violation&, const Violation&) = default;
};

// The first layer. Its message may hold the path where Kuma's has no field.
[[nodiscard]] std::vector<Violation> schema_violations(const MeshLoadBalancingStrategy& spec,
                                                       config::KumaProfile profile);

// The second layer alone.
[[nodiscard]] std::vector<Violation> validate(const MeshLoadBalancingStrategy& spec, config::KumaProfile profile);

// What a user sees: the schema's violations, or if there are none the validator's.
[[nodiscard]] std::vector<Violation> admit(const MeshLoadBalancingStrategy& spec, config::KumaProfile profile);

}  // namespace spillway::kuma
