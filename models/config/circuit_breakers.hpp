// How much a proxy lets a cluster have at once (envoy.config.cluster.v3.CircuitBreakers). Field names are Envoy's.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "models/config/refusal.hpp"
#include "models/config/routing_priority.hpp"
#include "models/config/strong.hpp"

namespace spillway::config {

struct RetryBudget {
  std::optional<Percent> budget_percent = {};               // of the active and pending requests; not said: 20
  std::optional<std::uint32_t> min_retry_concurrency = {};  // not said: 3
};

struct CircuitBreakerThresholds {
  RoutingPriority priority = RoutingPriority::default_priority;
  std::optional<std::uint32_t> max_connections = {};       // not said: 1024
  std::optional<std::uint32_t> max_pending_requests = {};  // 1024
  std::optional<std::uint32_t> max_requests = {};          // 1024
  std::optional<std::uint32_t> max_retries = {};           // 3
  std::optional<RetryBudget> retry_budget = {};            // instead of max_retries, once it says anything
  std::optional<std::uint32_t> max_connection_pools = {};  // no limit
  bool track_remaining = false;                            // statistics only
};

struct CircuitBreakers {
  std::vector<CircuitBreakerThresholds> thresholds = {};           // the first of a priority counts
  std::vector<CircuitBreakerThresholds> per_host_thresholds = {};  // max_connections only
};

// Why Envoy refuses these breakers; nothing if it does not.
[[nodiscard]] Refusal refusal(const CircuitBreakers& config);

}  // namespace spillway::config
