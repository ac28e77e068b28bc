// The label kuma.io/policy-role, which Kuma gives to every policy made in a Kubernetes namespace.
//
//   policy_role({{.kind = "MeshService", .name = "b"}}, false, "shop")->role;   // producer
//
// Source: Kuma's core/resources/labels/compute.go (2.14).
#pragma once

#include <span>
#include <string>
#include <string_view>

#include "models/kuma/mesh_load_balancing_strategy.hpp"

namespace spillway::kuma {

// The namespace of Kuma itself by default.
inline constexpr std::string_view system_namespace = "kuma-system";

struct PolicyRole {
  std::string role = {};     // system, producer, consumer, workload-owner; "" if refused
  std::string refusal = {};  // in Kuma's words
};

// Returns the role. `to` has the targets of the policy's items; `has_from` is true if the policy has items of `from`.
[[nodiscard]] PolicyRole policy_role(std::span<const TargetRef> to, bool has_from, std::string_view name_space);

}  // namespace spillway::kuma
