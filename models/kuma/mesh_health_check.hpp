// MeshHealthCheck: active checks, with Kuma's YAML keys.
//
//   apply(conf, "http", release_2_14, {cluster.health_checks, cluster.common_lb_config});
//
// The protocol of the destination decides which of http, grpc and tcp is used.
// Source: Kuma's meshhealthcheck/api/v1alpha1 and plugin/xds/configurer.go.
#pragma once

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "models/config/profile.hpp"
#include "models/kuma/mesh_http_route.hpp"
#include "models/kuma/targeted_policy.hpp"

namespace spillway::config {
struct CommonLbConfig;  // common_lb_config.hpp
struct HealthCheck;     // health_check.hpp
}  // namespace spillway::config

namespace spillway::kuma {

struct Violation;  // validation.hpp

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
  std::optional<HeaderModifier> requestHeadersToAdd = {};  // in the configuration of a proxy only

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
  std::optional<std::string> eventLogPath = {};           // for admission only
  std::optional<bool> reuseConnection = {};               // in the configuration of a proxy only
  std::optional<bool> alwaysLogHealthCheckFailures = {};  // in the configuration of a proxy only
  std::optional<TcpHealthCheck> tcp = {};
  std::optional<HttpHealthCheck> http = {};
  std::optional<GrpcHealthCheck> grpc = {};

  friend bool operator==(const HealthCheckConf&, const HealthCheckConf&) = default;
};

using MeshHealthCheck = TargetedPolicy<HealthCheckConf>;

void merge_patch(HealthCheckConf& conf, const HealthCheckConf& patch);

// The section that checks endpoints of a protocol. http checks http and http2, grpc checks grpc, tcp checks tcp; tcp
// also checks the others if their own section is written and disabled.
enum class CheckKind : std::uint8_t { none, http, grpc, tcp };
[[nodiscard]] CheckKind kind_of_check(const HealthCheckConf& conf, std::string_view protocol);

// The parts of a cluster that the policy sets.
struct HealthCheckTarget {
  std::vector<config::HealthCheck>& health_checks;
  config::CommonLbConfig& common_lb_config;
};

// Writes the health checks into the cluster. `protocol` is kuma.io/protocol or appProtocol of the destination, in upper
// or lower case; "" and unknown ones have no check. The sections http (http, http2), grpc (grpc) and tcp (tcp) apply to
// their own protocols; tcp also applies to http and grpc if their section is written and disabled. Defaults: interval
// 60 s, timeout 15 s, 5 failures, 1 success, path /. failTrafficOnPanic is ignored once the cluster has locality
// weights (affinityTags), and healthyPanicThreshold is ignored in head.
void apply(const HealthCheckConf& conf, std::string_view protocol, config::KumaProfile profile,
           HealthCheckTarget cluster);

// Returns the violations that Kuma's validator reports, in Kuma's words.
[[nodiscard]] std::vector<Violation> validate(const MeshHealthCheck& policy, config::KumaProfile profile);

}  // namespace spillway::kuma
