#include "models/config/circuit_breakers.hpp"

namespace spillway::config {

Refusal refusal(const CircuitBreakers& config) {
  for (const CircuitBreakerThresholds& thresholds : config.thresholds) {
    const auto percent = thresholds.retry_budget ? thresholds.retry_budget->budget_percent : std::nullopt;
    if (percent && !(percent->value >= 0.0 && percent->value <= 100.0)) {
      return out_of_bounds("Percent", "value", "value must be inside range [0, 100]");
    }
  }
  for (const CircuitBreakerThresholds& thresholds : config.per_host_thresholds) {
    if (thresholds.max_pending_requests || thresholds.max_requests || thresholds.max_retries ||
        thresholds.max_connection_pools || thresholds.retry_budget) {
      return Reason{"Unsupported field in per_host_thresholds: only max_connections is supported",
                    {"per_host_thresholds"}};
    }
  }
  return std::nullopt;
}

}  // namespace spillway::config
