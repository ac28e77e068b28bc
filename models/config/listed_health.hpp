// Health statuses grouped by the host lists that they lead to.
#pragma once

#include "models/config/cluster_load_assignment.hpp"

namespace spillway::config {

// Returns the status that puts a host into the same lists: unknown counts as healthy, timeout as unhealthy. Only the
// reason differs.
[[nodiscard]] constexpr HealthStatus listed_health(HealthStatus status) noexcept {
  return status == HealthStatus::unknown   ? HealthStatus::healthy
         : status == HealthStatus::timeout ? HealthStatus::unhealthy
                                           : status;
}

// True if the host is in its priority's and locality's lists of healthy hosts. Degraded hosts have lists of their own.
[[nodiscard]] constexpr bool is_listed_healthy(HealthStatus status) noexcept {
  return listed_health(status) == HealthStatus::healthy;
}

// True if a pick without panic can reach the host: from the healthy hosts or, if these are too few, from the degraded
// ones.
[[nodiscard]] constexpr bool can_be_picked(HealthStatus status) noexcept {
  return is_listed_healthy(status) || status == HealthStatus::degraded;
}

}  // namespace spillway::config
