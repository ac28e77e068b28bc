// Classifies the answer to one active check.
//
//   classify(config::HttpHealthCheck{}, {.status = 503});   // a failure of kind active: the host fails at once
//
// Source: docs/behaviour/envoy-host-pick.md 18; Envoy's health_checkers/{http,tcp,grpc}/health_checker_impl.cc.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

#include "models/config/health_check.hpp"
#include "models/health/detection.hpp"

namespace spillway::health {

struct CheckResult {
  // nullopt if the check passed.
  std::optional<CheckFailure> failure = {};
  bool degraded = false;        // passed, but degraded
  bool retriable = false;       // a failure that counts towards unhealthy_threshold, like network failures
  bool immediate_fail = false;  // the host also requests its exclusion

  friend bool operator==(const CheckResult&, const CheckResult&) = default;
};

struct HttpAnswer {
  std::uint32_t status = 200;
  std::string_view body = {};
  bool x_envoy_degraded = false;
  bool x_envoy_immediate_health_check_fail = false;
  std::string_view x_envoy_upstream_healthchecked_cluster = {};
};
[[nodiscard]] CheckResult classify(const config::HttpHealthCheck& check, const HttpAnswer& answer);

// The bytes that an established TCP check has received. classify() returns nullopt if it has to wait for more.
struct TcpAnswer {
  std::string_view received = {};
  bool closed = false;  // by the host
};
[[nodiscard]] std::optional<CheckResult> classify(const config::TcpHealthCheck& check, const TcpAnswer& answer);

// grpc.health.v1.HealthCheckResponse.ServingStatus.
enum class ServingStatus : std::uint8_t { unknown, serving, not_serving, service_unknown };

struct GrpcAnswer {
  std::uint32_t grpc_status = 0;
  std::optional<ServingStatus> serving_status = ServingStatus::serving;  // nullopt if there is no response message
  bool reset_or_goaway = false;
};
[[nodiscard]] CheckResult classify(const GrpcAnswer& answer) noexcept;

}  // namespace spillway::health
