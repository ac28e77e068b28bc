// Kuma's policies as documents: each has a `spec` with targetRef and `to`.
#pragma once

#include "models/kuma/messages/mesh_circuit_breaker.hpp"
#include "models/kuma/messages/mesh_health_check.hpp"
#include "models/kuma/messages/mesh_load_balancing_strategy.hpp"
#include "models/kuma/messages/mesh_retry.hpp"
#include "models/kuma/messages/mesh_timeout.hpp"
#include "models/kuma/messages/routes.hpp"

namespace spillway::messages {

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

struct MeshHTTPRoute {
  static constexpr const char* definition = Grammar<kuma::MeshHTTPRoute>::definition;
  static constexpr const char* kind = "MeshHTTPRoute";
  static constexpr bool inlined = false;
  static constexpr bool in_mesh = true;
  kuma::MeshHTTPRoute spec;
};
inline void describe(Fields& fields, MeshHTTPRoute& policy) {
  Grammar<kuma::MeshHTTPRoute>::describe(fields, policy.spec);
}

struct MeshTCPRoute {
  static constexpr const char* definition = Grammar<kuma::MeshTCPRoute>::definition;
  static constexpr const char* kind = "MeshTCPRoute";
  static constexpr bool inlined = false;
  static constexpr bool in_mesh = true;
  kuma::MeshTCPRoute spec;
};
inline void describe(Fields& fields, MeshTCPRoute& policy) {
  Grammar<kuma::MeshTCPRoute>::describe(fields, policy.spec);
}

struct MeshCircuitBreaker {
  static constexpr const char* definition = Grammar<MeshCircuitBreakerSpec>::definition;
  static constexpr const char* kind = "MeshCircuitBreaker";
  static constexpr bool inlined = false;
  static constexpr bool in_mesh = true;
  MeshCircuitBreakerSpec spec;
};
inline void describe(Fields& fields, MeshCircuitBreaker& policy) {
  Grammar<MeshCircuitBreakerSpec>::describe(fields, policy.spec);
}

struct MeshHealthCheck {
  static constexpr const char* definition = Grammar<kuma::MeshHealthCheck>::definition;
  static constexpr const char* kind = "MeshHealthCheck";
  static constexpr bool inlined = false;
  static constexpr bool in_mesh = true;
  kuma::MeshHealthCheck spec;
};
inline void describe(Fields& fields, MeshHealthCheck& policy) {
  Grammar<kuma::MeshHealthCheck>::describe(fields, policy.spec);
}

struct MeshRetry {
  static constexpr const char* definition = Grammar<kuma::MeshRetry>::definition;
  static constexpr const char* kind = "MeshRetry";
  static constexpr bool inlined = false;
  static constexpr bool in_mesh = true;
  kuma::MeshRetry spec;
};
inline void describe(Fields& fields, MeshRetry& policy) {
  Grammar<kuma::MeshRetry>::describe(fields, policy.spec);
}

struct MeshTimeout {
  static constexpr const char* definition = Grammar<MeshTimeoutSpec>::definition;
  static constexpr const char* kind = "MeshTimeout";
  static constexpr bool inlined = false;
  static constexpr bool in_mesh = true;
  MeshTimeoutSpec spec;
};
inline void describe(Fields& fields, MeshTimeout& policy) {
  Grammar<MeshTimeoutSpec>::describe(fields, policy.spec);
}

}  // namespace spillway::messages
