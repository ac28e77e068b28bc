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

}  // namespace spillway::config
