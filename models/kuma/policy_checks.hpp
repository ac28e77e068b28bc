// Checks that the validators of Kuma's policies have in common, in Kuma's words (core/validators/common_validators.go).
#pragma once

#include <chrono>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "models/config/profile.hpp"
#include "models/config/strong.hpp"
#include "models/kuma/mesh_load_balancing_strategy.hpp"
#include "models/kuma/policy_paths.hpp"
#include "models/kuma/targeted_policy.hpp"
#include "models/kuma/validation.hpp"

namespace spillway::kuma {

using Violations = std::vector<Violation>;

void check_above_zero(const std::optional<std::uint32_t>& number, std::string path, Violations& violations);
void check_threshold(const std::optional<std::uint32_t>& number, std::string path, Violations& violations);
void check_positive(const std::optional<std::chrono::nanoseconds>& duration, std::string path, Violations& violations);
void check_percentage(const std::optional<std::uint32_t>& percentage, std::string path, Violations& violations);
void check_percentage(const std::optional<IntOrString>& percentage, std::string path, Violations& violations);

// Converts a percentage. Precondition: it passed its check.
[[nodiscard]] config::Percent percent_of(const IntOrString& percentage);

// The kinds of target that a policy may name.
struct TargetKinds {
  config::KumaProfile profile = config::KumaProfile::release_2_14;
  bool routes = false;        // of a route: `to` names services; otherwise it may also name the whole mesh
  bool inbound = false;       // the policy is about requests that a proxy receives: its target may name a port
  bool names_routes = false;  // `to` may also name a MeshHTTPRoute
};
void check_top_target(const std::optional<TargetRef>& target, const TargetKinds& kinds, Violations& violations);
void check_to_target(const std::optional<TargetRef>& target, const std::optional<TargetRef>& top,
                     const std::string& path, const TargetKinds& kinds, Violations& violations);

// Checks a backendRef of a route.
void check_backend_ref(const TargetRef& target, bool has_port, const std::string& path, config::KumaProfile profile,
                       Violations& violations);

// Checks the references of the items of `to`, and each item's conf with `check_conf`.
template <class Conf>
void check_to_items(const TargetedPolicy<Conf>& policy, const TargetKinds& kinds, Violations& violations,
                    void (*check_conf)(const Conf&, const std::string&, Violations&)) {
  const std::vector<TargetedItem<Conf>> items = policy.to.value_or(std::vector<TargetedItem<Conf>>{});
  for (std::size_t index = 0; index < items.size(); ++index) {
    const std::string path = at("spec", "to", index);
    check_to_target(items[index].targetRef, policy.targetRef, path + ".targetRef", kinds, violations);
    check_conf(items[index].default_, path + ".default", violations);
  }
}
// Checks the top-level reference, then the items of `to`.
template <class Conf>
void check_targets(const TargetedPolicy<Conf>& policy, const TargetKinds& kinds, Violations& violations,
                   void (*check_conf)(const Conf&, const std::string&, Violations&)) {
  check_top_target(policy.targetRef, kinds, violations);
  check_to_items(policy, kinds, violations, check_conf);
}

}  // namespace spillway::kuma
