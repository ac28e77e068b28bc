// The reasons of ejections and of failed health checks.
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

// envoy.data.core.v3.HealthCheckFailureType: active means a wrong answer, passive one to a request that was no check.
enum class CheckFailure : std::uint8_t { active, passive, network, network_timeout };

// The resources that circuit breakers limit.
enum class Resource : std::uint8_t { connections, pending_requests, requests, retries, connection_pools };

}  // namespace spillway::health
