// The resources that circuit breakers limit.
#pragma once

#include <cstdint>

namespace spillway::health {

enum class Resource : std::uint8_t { connections, pending_requests, requests, retries, connection_pools };

}  // namespace spillway::health
