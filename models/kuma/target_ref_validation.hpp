// Validation of target references (part of validation.hpp).
//
//   validate_target_ref(ref, "spec.targetRef", {.supported_kinds = kinds, .profile = head}, violations);
//
// Source: docs/behaviour/kuma.md 2; Kuma's core/resources/apis/mesh/validators.go.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "models/config/profile.hpp"
#include "models/kuma/mesh_load_balancing_strategy.hpp"
#include "models/kuma/validation.hpp"

namespace spillway::kuma {

struct TargetRefRules {
  std::span<const std::string_view> supported_kinds = {};
  std::string unsupported_kind = {};  // the message, if it differs from the usual one
  config::KumaProfile profile = config::KumaProfile::release_2_14;
  bool inbound = false;  // of an inbound policy: a Dataplane's sectionName is one of its ports
};

void validate_target_ref(const TargetRef& target, const std::string& path, const TargetRefRules& rules,
                         std::vector<Violation>& violations);

}  // namespace spillway::kuma
