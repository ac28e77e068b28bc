// The priorities of requests.
#pragma once

#include <cstdint>

namespace spillway::config {

// envoy.config.core.v3.RoutingPriority, which has nothing to do with the priorities of endpoints.
enum class RoutingPriority : std::uint8_t { default_priority, high };

}  // namespace spillway::config
