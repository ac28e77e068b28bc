// A cluster's active health checks and circuit breakers, with what Envoy refuses of them.
#pragma once

#include <vector>

#include "models/config/circuit_breakers.hpp"
#include "models/config/health_check.hpp"
#include "sim/scenario/diagnostic.hpp"
#include "sim/scenario/written/cluster.hpp"

namespace spillway::scenario::meaning {

[[nodiscard]] std::vector<config::HealthCheck> read_health_checks(const written::Cluster& cluster,
                                                                  Diagnostics& problems);
[[nodiscard]] config::CircuitBreakers read_circuit_breakers(const written::Cluster& cluster, Diagnostics& problems);

}  // namespace spillway::scenario::meaning
