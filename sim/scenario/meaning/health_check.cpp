#include "sim/scenario/meaning/health_check.hpp"

#include <algorithm>
#include <string>

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
  const auto reason = fine ? config::refusal(checks) : std::nullopt;
  if (reason) {
    // The check that it names, by its position.
    const std::string at = "index ";
    const std::size_t index =
        std::min<std::size_t>(std::stoul(reason->substr(reason->rfind(at) + at.size())), checks.size() - 1);
    const auto& field = (*cluster.health_checks)[index];
    refuse(reason, {"these health checks", nullptr, field->source.place_of("name").value_or(field.where)}, problems);
  }
  return checks;
}

config::CircuitBreakers read_circuit_breakers(const written::Cluster& cluster, Diagnostics& problems) {
  const auto& field = cluster.circuit_breakers;
  refuse(config::refusal(*field), {"these circuit breakers", field->source.object, field.where}, problems);
  return *field;
}

}  // namespace spillway::scenario::meaning
