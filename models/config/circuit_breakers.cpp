#include "models/config/circuit_breakers.hpp"

namespace spillway::config {

std::optional<std::string> refusal(const CircuitBreakers& config) {
  for (const CircuitBreakerThresholds& thresholds : config.thresholds) {
    const auto percent = thresholds.retry_budget ? thresholds.retry_budget->budget_percent : std::nullopt;
    if (percent && !(percent->value >= 0.0 && percent->value <= 100.0)) {
      return "PercentValidationError.Value: value must be inside range [0, 100]";
    }
  }
  for (const CircuitBreakerThresholds& thresholds : config.per_host_thresholds) {
    if (thresholds.max_pending_requests || thresholds.max_requests || thresholds.max_retries ||
        thresholds.max_connection_pools || thresholds.retry_budget) {
      return "Unsupported field in per_host_thresholds: only max_connections is supported";
    }
  }
  return std::nullopt;
}

}  // namespace spillway::config
