// MeshCircuitBreaker, as far as it changes which endpoints requests go to: connection limits and outlier detection,
// with Kuma's YAML keys.
//
// Source: Kuma's meshcircuitbreaker/api/v1alpha1 and plugin/v1alpha1.
#pragma once

#include <chrono>
#include <cstdint>
#include <optional>

#include "models/kuma/mesh_load_balancing_strategy.hpp"
#include "models/kuma/targeted_policy.hpp"

namespace spillway::kuma {

struct ConnectionLimits {
  std::optional<std::uint32_t> maxConnections = {};
  std::optional<std::uint32_t> maxConnectionPools = {};
  std::optional<std::uint32_t> maxPendingRequests = {};
  std::optional<std::uint32_t> maxRetries = {};
  std::optional<std::uint32_t> maxRequests = {};

  friend bool operator==(const ConnectionLimits&, const ConnectionLimits&) = default;
};

// Of totalFailures, gatewayFailures and localOriginFailures.
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

}  // namespace spillway::kuma
