// A reference to a destination with its weight and port, as MeshHTTPRoute and MeshTCPRoute have them.
// Source: Kuma's api/common/v1alpha1.BackendRef.
#pragma once

#include <cstdint>
#include <optional>

#include "models/kuma/mesh_load_balancing_strategy.hpp"
#include "models/kuma/references.hpp"

namespace spillway::kuma {

struct BackendRef {
  TargetRef targetRef = {};
  std::optional<std::uint32_t> weight = {};  // absent means 1
  std::optional<std::uint32_t> port = {};
  ReferenceOrigin origin = {};  // of the policy

  friend bool operator==(const BackendRef&, const BackendRef&) = default;
};

}  // namespace spillway::kuma
