// MeshCircuitBreaker with Kuma's YAML keys, limited to what changes where requests go: connection limits and outlier
// detection.
//
//   PolicySet<CircuitBreakerConf> breakers(policies);
//   apply(breakers.of_tag(client, "backend", release_2_14)->conf,
//         {cluster.circuit_breakers, cluster.outlier_detection, cluster.common_lb_config});
//
// Only `to` concerns the endpoints that a proxy picks; `from` and `rules` are read for admission only. Source: Kuma's
// meshcircuitbreaker/api/v1alpha1 and plugin/xds/configurer.go (2.14; head is equal but for `from`).
#pragma once

#include <chrono>
#include <cstdint>
#include <optional>
#include <vector>

#include "models/config/outlier_detection.hpp"
#include "models/kuma/mesh_load_balancing_strategy.hpp"
#include "models/kuma/targeted_policy.hpp"

namespace spillway::config {
enum class KumaProfile : std::uint8_t;  // profile.hpp
struct CircuitBreakers;                 // circuit_breakers.hpp
struct CommonLbConfig;                  // common_lb_config.hpp
}  // namespace spillway::config

namespace spillway::kuma {

struct Violation;  // validation.hpp

struct ConnectionLimits {
  std::optional<std::uint32_t> maxConnections = {};
  std::optional<std::uint32_t> maxConnectionPools = {};
  std::optional<std::uint32_t> maxPendingRequests = {};
  std::optional<std::uint32_t> maxRetries = {};
  std::optional<std::uint32_t> maxRequests = {};

  friend bool operator==(const ConnectionLimits&, const ConnectionLimits&) = default;
};

// The settings of one of totalFailures, gatewayFailures and localOriginFailures.
struct ConsecutiveDetector {
  std::optional<std::uint32_t> consecutive = {};

  friend bool operator==(const ConsecutiveDetector&, const ConsecutiveDetector&) = default;
};

struct SuccessRateDetector {
  std::optional<std::uint32_t> minimumHosts = {};
  std::optional<std::uint32_t> requestVolume = {};
  std::optional<IntOrString> standardDeviationFactor = {};

  friend bool operator==(const SuccessRateDetector&, const SuccessRateDetector&) = default;
};

struct FailurePercentageDetector {
  std::optional<std::uint32_t> minimumHosts = {};
  std::optional<std::uint32_t> requestVolume = {};
  std::optional<std::uint32_t> threshold = {};

  friend bool operator==(const FailurePercentageDetector&, const FailurePercentageDetector&) = default;
};

struct Detectors {
  std::optional<ConsecutiveDetector> totalFailures = {};
  std::optional<ConsecutiveDetector> gatewayFailures = {};
  std::optional<ConsecutiveDetector> localOriginFailures = {};
  std::optional<SuccessRateDetector> successRate = {};
  std::optional<FailurePercentageDetector> failurePercentage = {};

  friend bool operator==(const Detectors&, const Detectors&) = default;
};

struct OutlierDetection {
  std::optional<bool> disabled = {};
  std::optional<std::chrono::nanoseconds> interval = {};
  std::optional<std::chrono::nanoseconds> baseEjectionTime = {};
  std::optional<std::uint32_t> maxEjectionPercent = {};
  std::optional<bool> splitExternalAndLocalErrors = {};
  std::optional<Detectors> detectors = {};
  std::optional<IntOrString> healthyPanicThreshold = {};

  friend bool operator==(const OutlierDetection&, const OutlierDetection&) = default;
};

struct CircuitBreakerConf {
  std::optional<ConnectionLimits> connectionLimits = {};
  std::optional<OutlierDetection> outlierDetection = {};

  friend bool operator==(const CircuitBreakerConf&, const CircuitBreakerConf&) = default;
};

using MeshCircuitBreaker = TargetedPolicy<CircuitBreakerConf>;

struct CircuitBreakerRule {
  CircuitBreakerConf default_ = {};

  friend bool operator==(const CircuitBreakerRule&, const CircuitBreakerRule&) = default;
};

// The settings of the same document for the requests that a proxy receives.
struct InboundCircuitBreaker {
  std::vector<TargetedItem<CircuitBreakerConf>> from = {};  // 2.14; head drops it
  std::vector<CircuitBreakerRule> rules = {};

  friend bool operator==(const InboundCircuitBreaker&, const InboundCircuitBreaker&) = default;
};

void merge_patch(CircuitBreakerConf& conf, const CircuitBreakerConf& patch);

// The parts of a cluster that the policy sets.
struct CircuitBreakerTarget {
  config::CircuitBreakers& circuit_breakers;
  std::optional<config::OutlierDetection>& outlier_detection;
  config::CommonLbConfig& common_lb_config;
};

// Writes limits to the thresholds of the default priority. Replaces outlier detection as a whole, unless it is
// disabled: a detector that is written ejects every time, one that is not written never ejects. Absent numbers are
// Envoy's defaults.
void apply(const CircuitBreakerConf& conf, CircuitBreakerTarget cluster);

// Returns the policy that Kuma creates by itself for each mesh: 1024 connections, pending requests and requests, and 3
// retries.
[[nodiscard]] CircuitBreakerConf default_circuit_breaker();

// Returns the violations that Kuma's validator reports, in Kuma's words.
[[nodiscard]] std::vector<Violation> validate(const MeshCircuitBreaker& policy, const InboundCircuitBreaker& inbound,
                                              config::KumaProfile profile);

}  // namespace spillway::kuma
