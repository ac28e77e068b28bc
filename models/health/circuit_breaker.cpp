#include "models/health/circuit_breaker.hpp"

#include <algorithm>
#include <limits>
#include <span>

namespace spillway::health {

namespace {

constexpr std::uint32_t no_limit = std::numeric_limits<std::uint32_t>::max();

config::CircuitBreakerThresholds first_of(std::span<const config::CircuitBreakerThresholds> thresholds,
                                          config::RoutingPriority priority) {
  const auto found =
      std::find_if(thresholds.begin(), thresholds.end(),
                   [priority](const config::CircuitBreakerThresholds& entry) { return entry.priority == priority; });
  return found == thresholds.end() ? config::CircuitBreakerThresholds{} : *found;
}

}  // namespace

std::uint64_t max_retries_of_budget(const config::RetryBudget& budget, std::uint64_t active_requests,
                                    std::uint64_t pending_requests) noexcept {
  const double percent = budget.budget_percent ? budget.budget_percent->value : default_budget_percent;
  const auto allowed =
      static_cast<std::uint64_t>(percent / 100.0 * static_cast<double>(active_requests + pending_requests));
  return std::max<std::uint64_t>(allowed, budget.min_retry_concurrency.value_or(default_min_retry_concurrency));
}

// max_connections is not among these limits: a host's first connection opens regardless of it. max_pending_requests is,
// because every request that needs a connection is pending until it opens.
std::string_view limit_that_shuts(const config::CircuitBreakers& config, config::RoutingPriority priority) noexcept {
  const config::CircuitBreakerThresholds own = first_of(config.thresholds, priority);
  return own.max_requests == 0U           ? "max_requests"
         : own.max_pending_requests == 0U ? "max_pending_requests"
         : own.max_connection_pools == 0U ? "max_connection_pools"
                                          : "";
}

CircuitBreaker::CircuitBreaker(const config::CircuitBreakers& config, config::RoutingPriority priority) {
  const config::CircuitBreakerThresholds own = first_of(config.thresholds, priority);
  limits_[index(Resource::connections)] = own.max_connections.value_or(1024);
  limits_[index(Resource::pending_requests)] = own.max_pending_requests.value_or(1024);
  limits_[index(Resource::requests)] = own.max_requests.value_or(1024);
  limits_[index(Resource::retries)] = own.max_retries.value_or(3);
  limits_[index(Resource::connection_pools)] = own.max_connection_pools.value_or(no_limit);
  if (own.retry_budget && (own.retry_budget->budget_percent || own.retry_budget->min_retry_concurrency)) {
    budgeted_ = true;
    budget_percent_ = own.retry_budget->budget_percent ? own.retry_budget->budget_percent->value : budget_percent_;
    min_retry_concurrency_ = own.retry_budget->min_retry_concurrency.value_or(min_retry_concurrency_);
  }
  max_connections_per_host_ = first_of(config.per_host_thresholds, priority).max_connections.value_or(no_limit);
}

std::uint64_t CircuitBreaker::max_of_budget() const noexcept {
  return max_retries_of_budget({config::Percent{budget_percent_}, min_retry_concurrency_}, count(Resource::requests),
                               count(Resource::pending_requests));
}

}  // namespace spillway::health
