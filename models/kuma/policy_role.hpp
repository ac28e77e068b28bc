// The label kuma.io/policy-role, which Kuma gives to every policy that is made in a namespace of Kubernetes.
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

// Where Kuma itself lives, unless it was installed otherwise.
inline constexpr std::string_view system_namespace = "kuma-system";

struct PolicyRole {
  std::string role = {};     // system, producer, consumer, workload-owner; "": refused
  std::string refusal = {};  // in Kuma's words
};

// `to`: the targets of the policy's items; `has_from`: whether it has any of `from`.
[[nodiscard]] PolicyRole policy_role(std::span<const TargetRef> to, bool has_from, std::string_view name_space);

}  // namespace spillway::kuma
