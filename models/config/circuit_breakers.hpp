// Limits on what a proxy may have open to one cluster at once (envoy.config.cluster.v3.CircuitBreakers). Field names
// are Envoy's.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "models/config/refusal.hpp"
#include "models/config/routing_priority.hpp"
#include "models/config/strong.hpp"

namespace spillway::config {

struct RetryBudget {
  std::optional<Percent> budget_percent = {};               // of the active and pending requests; default: 20
  std::optional<std::uint32_t> min_retry_concurrency = {};  // default: 3
};

struct CircuitBreakerThresholds {
  RoutingPriority priority = RoutingPriority::default_priority;
  std::optional<std::uint32_t> max_connections = {};       // default: 1024
  std::optional<std::uint32_t> max_pending_requests = {};  // default: 1024
  std::optional<std::uint32_t> max_requests = {};          // default: 1024
  std::optional<std::uint32_t> max_retries = {};           // default: 3
  std::optional<RetryBudget> retry_budget = {};            // replaces max_retries if any of its fields is set
  std::optional<std::uint32_t> max_connection_pools = {};  // default: no limit
  bool track_remaining = false;                            // statistics only
};

struct CircuitBreakers {
  std::vector<CircuitBreakerThresholds> thresholds = {};           // the first entry of each priority counts
  std::vector<CircuitBreakerThresholds> per_host_thresholds = {};  // max_connections only
};

// Returns why Envoy refuses these breakers; nullopt if it accepts them.
[[nodiscard]] Refusal refusal(const CircuitBreakers& config);

}  // namespace spillway::config
