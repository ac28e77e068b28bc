// The reasons of ejections.
#pragma once

#include <cstdint>

namespace spillway::health {

// Why a host is ejected (envoy.data.cluster.v3.OutlierEjectionType).
enum class Detection : std::uint8_t {
  consecutive_5xx,
  consecutive_gateway_failure,
  success_rate,
  consecutive_local_origin_failure,
  success_rate_local_origin,
  failure_percentage,
  failure_percentage_local_origin,
};

}  // namespace spillway::health
