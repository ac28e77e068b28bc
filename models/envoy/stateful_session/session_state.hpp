// Where a stateful session names its host.
#pragma once

#include <cstdint>

namespace spillway::envoy {

enum class SessionState : std::uint8_t { cookie, header };

}  // namespace spillway::envoy
