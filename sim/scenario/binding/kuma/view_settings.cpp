// Finds the places of a view's settings in the policies that it was derived from.
#include "sim/scenario/binding/kuma/policies.hpp"
#include "sim/scenario/binding/kuma/views.hpp"
#include "sim/scenario/scenario.hpp"

namespace spillway::scenario::kuma_binding {

void Views::note_settings(config::ServiceIndex view, const ClusterConfs& confs) {
  const auto place_in = [](const auto& policies, const RuleOrigins& items, const char* path, const auto& sets) {
    const auto found = policies.last_of(items, path, sets);
    return found ? std::optional(found->where) : std::nullopt;
  };
  const auto breaker = [&](const char* path, const auto& sets) {
    return place_in(policies_->circuit_breakers, confs.circuit_breaker_origins, path, sets);
  };
  messages::SettingPlaces places{.names = {.max_ejection_percent = "maxEjectionPercent",
                                           .enforced_detection = "detectors: { totalFailures: { consecutive: 5 } }",
                                           .max_requests = "maxRequests",
                                           .health_checks = "MeshHealthCheck",
                                           .always_eject_one_host = false,
                                           .panic_threshold = false}};
  places.outlier_detection =
      breaker("outlierDetection", [](const auto& conf) { return conf.outlierDetection.has_value(); });
  places.max_ejection_percent = breaker("outlierDetection.maxEjectionPercent", [](const auto& conf) {
    return conf.outlierDetection && conf.outlierDetection->maxEjectionPercent;
  });
  const auto limit = breaker("connectionLimits.maxRequests", [](const auto& conf) {
    return conf.connectionLimits && conf.connectionLimits->maxRequests;
  });
  places.thresholds = {{.max_requests = limit}};
  places.lb_policy = place_in(policies_->strategies, confs.strategy_origins, "loadBalancer",
                              [](const auto& conf) { return conf.loadBalancer.has_value(); });
  if (places.outlier_detection || limit || places.lb_policy) {
    places.whole = places.outlier_detection ? *places.outlier_detection : limit ? *limit : *places.lb_policy;
    setting_places_.emplace_back(view, std::move(places));
  }
}

}  // namespace spillway::scenario::kuma_binding
