// The health of an endpoint, as EDS reports it.
#pragma once

#include <cstdint>

namespace spillway::config {

// envoy.config.core.v3.HealthStatus.
enum class HealthStatus : std::uint8_t { unknown, healthy, unhealthy, draining, timeout, degraded };

}  // namespace spillway::config
