// Peak EWMA (contrib, v3alpha): of two hosts drawn at random, picks the one of lower cost. Only its cost function is
// implemented here, because Envoy's balancer is unfinished.
//
// Source: docs/behaviour/envoy-host-pick.md 16; Envoy's contrib peak_ewma.
#pragma once

#include <cstdint>

namespace spillway::envoy::policies::peak_ewma {

// Returns the smoothed round-trip time, in any unit, times the number of requests that would then be in flight.
[[nodiscard]] constexpr double cost(double rtt_ewma, std::uint32_t active_requests) noexcept {
  return rtt_ewma * (static_cast<double>(active_requests) + 1.0);
}

}  // namespace spillway::envoy::policies::peak_ewma
