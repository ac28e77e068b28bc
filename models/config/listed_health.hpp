// Health that puts a host into the same lists: a told health and the plain one that it counts as.
#pragma once

#include "models/config/cluster_load_assignment.hpp"

namespace spillway::config {

// Unknown is healthy, a timeout unhealthy: they differ in their reason alone.
[[nodiscard]] constexpr HealthStatus listed_health(HealthStatus status) noexcept {
  return status == HealthStatus::unknown   ? HealthStatus::healthy
         : status == HealthStatus::timeout ? HealthStatus::unhealthy
                                           : status;
}

// Of a priority's and a locality's healthy hosts: degraded ones are a list of their own.
[[nodiscard]] constexpr bool is_listed_healthy(HealthStatus status) noexcept {
  return listed_health(status) == HealthStatus::healthy;
}

// Without panic: from the healthy hosts or, where these are too few, from the degraded ones.
[[nodiscard]] constexpr bool can_be_picked(HealthStatus status) noexcept {
  return is_listed_healthy(status) || status == HealthStatus::degraded;
}

}  // namespace spillway::config
