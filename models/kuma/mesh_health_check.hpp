// MeshHealthCheck: active checks, with Kuma's YAML keys.
//
// Source: Kuma's meshhealthcheck/api/v1alpha1 and plugin/v1alpha1.
#pragma once

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "models/kuma/mesh_load_balancing_strategy.hpp"
#include "models/kuma/targeted_policy.hpp"

namespace spillway::kuma {

struct TcpHealthCheck {
  std::optional<bool> disabled = {};
  std::optional<std::string> send = {};
  std::optional<std::vector<std::string>> receive = {};

  friend bool operator==(const TcpHealthCheck&, const TcpHealthCheck&) = default;
};

struct HttpHealthCheck {
  std::optional<bool> disabled = {};
  std::optional<std::string> path = {};
  std::optional<std::vector<std::uint32_t>> expectedStatuses = {};

  friend bool operator==(const HttpHealthCheck&, const HttpHealthCheck&) = default;
};

struct GrpcHealthCheck {
  std::optional<bool> disabled = {};
  std::optional<std::string> serviceName = {};
  std::optional<std::string> authority = {};

  friend bool operator==(const GrpcHealthCheck&, const GrpcHealthCheck&) = default;
};

struct HealthCheckConf {
  std::optional<std::chrono::nanoseconds> interval = {};
  std::optional<std::chrono::nanoseconds> timeout = {};
  std::optional<std::uint32_t> unhealthyThreshold = {};
  std::optional<std::uint32_t> healthyThreshold = {};
  std::optional<std::chrono::nanoseconds> initialJitter = {};
  std::optional<std::chrono::nanoseconds> intervalJitter = {};
  std::optional<std::uint32_t> intervalJitterPercent = {};
  std::optional<IntOrString> healthyPanicThreshold = {};  // 2.14
  std::optional<bool> failTrafficOnPanic = {};
  std::optional<std::chrono::nanoseconds> noTrafficInterval = {};
  std::optional<TcpHealthCheck> tcp = {};
  std::optional<HttpHealthCheck> http = {};
  std::optional<GrpcHealthCheck> grpc = {};
  std::optional<bool> reuseConnection = {};

  friend bool operator==(const HealthCheckConf&, const HealthCheckConf&) = default;
};

using MeshHealthCheck = TargetedPolicy<HealthCheckConf>;

}  // namespace spillway::kuma
