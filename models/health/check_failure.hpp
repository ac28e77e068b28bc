// The kinds of failed health checks.
#pragma once

#include <cstdint>

namespace spillway::health {

// envoy.data.core.v3.HealthCheckFailureType: active means a wrong answer, passive one to a request that was no check.
enum class CheckFailure : std::uint8_t { active, passive, network, network_timeout };

}  // namespace spillway::health
