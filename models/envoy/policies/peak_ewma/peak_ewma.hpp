// Peak EWMA (contrib, v3alpha): of two hosts drawn at random the one of lower cost. The balancer itself is work in
// progress in Envoy and not played; this is its cost.
//
// Source: docs/behaviour/envoy-host-pick.md 16; Envoy's contrib peak_ewma.
#pragma once

#include <cstdint>

namespace spillway::envoy::policies::peak_ewma {

// The smoothed round trip time, in any unit, for each request that would then be in flight.
[[nodiscard]] constexpr double cost(double rtt_ewma, std::uint32_t active_requests) noexcept {
  return rtt_ewma * (static_cast<double>(active_requests) + 1.0);
}

}  // namespace spillway::envoy::policies::peak_ewma
