#include "sim/scenario/meaning/health_check.hpp"

#include "sim/scenario/meaning/refused.hpp"

namespace spillway::scenario::meaning {

std::vector<config::HealthCheck> read_health_checks(const written::Cluster& cluster, Diagnostics& problems) {
  std::vector<config::HealthCheck> checks;
  bool fine = true;
  for (const auto& field : *cluster.health_checks) {
    checks.push_back(*field);
    fine = fine && field && field->sound &&
           !refuse(config::refusal(checks.back()), {"this health check", field->source.object, field.where}, problems);
  }
  if (fine) {
    const config::Refusal refusal = config::within("health_checks", config::refusal(checks));
    refuse(refusal, {"these health checks", cluster.source.object, cluster.health_checks.where}, problems);
  }
  return checks;
}

config::CircuitBreakers read_circuit_breakers(const written::Cluster& cluster, Diagnostics& problems) {
  const auto& field = cluster.circuit_breakers;
  refuse(config::refusal(*field), {"these circuit breakers", field->source.object, field.where}, problems);
  return *field;
}

}  // namespace spillway::scenario::meaning
