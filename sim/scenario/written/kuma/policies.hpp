// Kuma's policies as documents: each a `spec` with targetRef and `to`.
#pragma once

#include "sim/scenario/written/kuma/mesh_load_balancing_strategy.hpp"

namespace spillway::scenario::written {

struct MeshLoadBalancingStrategy {
  static constexpr const char* definition = Grammar<kuma::MeshLoadBalancingStrategy>::definition;
  static constexpr const char* kind = "MeshLoadBalancingStrategy";
  static constexpr bool inlined = false;
  static constexpr bool in_mesh = true;
  kuma::MeshLoadBalancingStrategy spec;
};
inline void describe(Fields& fields, MeshLoadBalancingStrategy& policy) {
  Grammar<kuma::MeshLoadBalancingStrategy>::describe(fields, policy.spec);
}

}  // namespace spillway::scenario::written
