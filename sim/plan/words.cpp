#include "sim/plan/words.hpp"

#include <array>
#include <cstddef>

#include "sim/scenario/scenario.hpp"
#include "sim/scenario/service.hpp"

namespace spillway::plan {

Documents documents_of(const scenario::Scenario& scenario) {
  for (const scenario::Service& service : scenario.services) {
    if (service.as_view) {
      return service.as_view->istio_trail ? Documents::istio : Documents::kuma;
    }
  }
  return Documents::envoy;
}

std::string name_of(Knob knob, Documents documents) {
  // By knob and Documents.
  static constexpr std::array<std::array<const char*, 3>, 5> names{{
      {"healthy_panic_threshold", "healthyPanicThreshold", "outlierDetection.minHealthPercent"},
      {"max_ejection_percent", "outlierDetection.maxEjectionPercent", "outlierDetection.maxEjectionPercent"},
      {"num_retries", "numRetries", "retries.attempts"},
      {"max_retries", "connectionLimits.maxRetries", "connectionPool.http.maxRetries"},
      {"max_requests", "connectionLimits.maxRequests", "connectionPool.http.http2MaxRequests"},
  }};
  return names[static_cast<std::size_t>(knob)][static_cast<std::size_t>(documents)];
}

}  // namespace spillway::plan
