// Finds the places of a view's settings in the policies that it was derived from.
#include <fmt/format.h>

#include "models/kuma/documents/field_path.hpp"
#include "models/kuma/mesh_circuit_breaker.hpp"
#include "models/kuma/mesh_health_check.hpp"
#include "models/kuma/mesh_timeout.hpp"
#include "sim/scenario/binding/kuma/policies.hpp"
#include "sim/scenario/binding/kuma/views.hpp"
#include "sim/scenario/scenario.hpp"

namespace spillway::scenario::kuma_binding {

namespace {

// Returns the place in the last item that sets it.
template <class Says>
std::optional<Span> place_of_breaker(const Policies& policies, const std::vector<kuma::RuleOrigin>& origins,
                                     const char* path, const Says& says) {
  for (std::size_t item = origins.size(); item > 0; --item) {
    const kuma::RuleOrigin& origin = origins[item - 1];
    const kuma::MeshCircuitBreaker& policy = policies.circuit_breakers.policies()[origin.policy];
    if (says((*policy.to)[origin.item].default_)) {
      return kuma::place_of(*policies.circuit_breaker_origins[origin.policy].node,
                            fmt::format("spec.to[{}].default.{}", origin.item, path));
    }
  }
  return std::nullopt;
}

std::optional<Span> place_of_balancer(const Policies& policies, const std::vector<kuma::RuleOrigin>& origins) {
  for (std::size_t item = origins.size(); item > 0; --item) {
    const kuma::RuleOrigin& origin = origins[item - 1];
    const kuma::MeshLoadBalancingStrategy& strategy = policies.strategies[origin.policy].spec;
    if ((*strategy.to)[origin.item].default_.loadBalancer) {
      return kuma::place_of(*policies.strategy_origins[origin.policy].node,
                            fmt::format("spec.to[{}].default.loadBalancer", origin.item));
    }
  }
  return std::nullopt;
}

}  // namespace

void Views::note_settings(config::ServiceIndex view, const ClusterConfs& confs) {
  const std::vector<kuma::RuleOrigin>& origins = confs.circuit_breaker_origins;
  messages::SettingPlaces places{.names = {.max_ejection_percent = "maxEjectionPercent",
                                           .enforced_detection = "detectors: { totalFailures: { consecutive: 5 } }",
                                           .max_requests = "maxRequests",
                                           .health_checks = "MeshHealthCheck",
                                           .always_eject_one_host = false,
                                           .panic_threshold = false}};
  places.outlier_detection =
      place_of_breaker(*policies_, origins, "outlierDetection",
                       [](const kuma::CircuitBreakerConf& conf) { return conf.outlierDetection.has_value(); });
  places.max_ejection_percent = place_of_breaker(
      *policies_, origins, "outlierDetection.maxEjectionPercent", [](const kuma::CircuitBreakerConf& conf) {
        return conf.outlierDetection && conf.outlierDetection->maxEjectionPercent;
      });
  const auto limit = place_of_breaker(
      *policies_, origins, "connectionLimits.maxRequests",
      [](const kuma::CircuitBreakerConf& conf) { return conf.connectionLimits && conf.connectionLimits->maxRequests; });
  places.thresholds = {{.max_requests = limit}};
  places.lb_policy = place_of_balancer(*policies_, confs.strategy_origins);
  if (places.outlier_detection || limit || places.lb_policy) {
    places.whole = places.outlier_detection ? *places.outlier_detection : limit ? *limit : *places.lb_policy;
    setting_places_.emplace_back(view, std::move(places));
  }
}

}  // namespace spillway::scenario::kuma_binding
