// The kinds of lists that hosts are picked from.
#pragma once

#include <cstdint>

namespace spillway::envoy {

// The list that a host was picked from; `all` is a pick in panic.
enum class Availability : std::uint8_t { healthy, degraded, all };

}  // namespace spillway::envoy
