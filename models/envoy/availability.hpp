// The kinds of lists that hosts are picked from, and the health that sorts hosts into them.
#pragma once

#include <cstdint>

namespace spillway::envoy {

// The list that a host was picked from; `all` is a pick in panic.
enum class Availability : std::uint8_t { healthy, degraded, all };

// The list of its priority that a host is in, besides the list of all hosts.
enum class Health : std::uint8_t { unhealthy, degraded, healthy };

}  // namespace spillway::envoy
