// The health of a host, as its priority sorts it.
#pragma once

#include <cstdint>

namespace spillway::envoy {

// The list of its priority that a host is in, besides the list of all hosts.
enum class Health : std::uint8_t { unhealthy, degraded, healthy };

}  // namespace spillway::envoy
