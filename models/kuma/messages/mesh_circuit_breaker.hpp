// The grammar of the spec of a MeshCircuitBreaker, verbatim.
#pragma once

#include "models/envoy/api/grammar_of.hpp"
#include "models/kuma/mesh_circuit_breaker.hpp"

namespace spillway::messages {

template <>
struct Grammar<kuma::ConnectionLimits> {
  static constexpr const char* definition = "MeshCircuitBreaker.ConnectionLimits";
  static void describe(Fields& fields, kuma::ConnectionLimits& object);
};
template <>
struct Grammar<kuma::ConsecutiveDetector> {
  static constexpr const char* definition = "MeshCircuitBreaker.ConsecutiveDetector";
  static void describe(Fields& fields, kuma::ConsecutiveDetector& object);
};
template <>
struct Grammar<kuma::SuccessRateDetector> {
  static constexpr const char* definition = "MeshCircuitBreaker.SuccessRateDetector";
  static void describe(Fields& fields, kuma::SuccessRateDetector& object);
};
template <>
struct Grammar<kuma::FailurePercentageDetector> {
  static constexpr const char* definition = "MeshCircuitBreaker.FailurePercentageDetector";
  static void describe(Fields& fields, kuma::FailurePercentageDetector& object);
};
template <>
struct Grammar<kuma::Detectors> {
  static constexpr const char* definition = "MeshCircuitBreaker.Detectors";
  static void describe(Fields& fields, kuma::Detectors& object);
};
template <>
struct Grammar<kuma::OutlierDetection> {
  static constexpr const char* definition = "MeshCircuitBreaker.OutlierDetection";
  static void describe(Fields& fields, kuma::OutlierDetection& object);
};
template <>
struct Grammar<kuma::CircuitBreakerConf> {
  static constexpr const char* definition = "MeshCircuitBreaker.Conf";
  static void describe(Fields& fields, kuma::CircuitBreakerConf& object);
};
template <>
struct Grammar<kuma::TargetedItem<kuma::CircuitBreakerConf>> {
  static constexpr const char* definition = "MeshCircuitBreaker.To";
  static void describe(Fields& fields, kuma::TargetedItem<kuma::CircuitBreakerConf>& object);
};
template <>
struct Grammar<kuma::CircuitBreakerRule> {
  static constexpr const char* definition = "MeshCircuitBreaker.Rule";
  static void describe(Fields& fields, kuma::CircuitBreakerRule& object);
};

// The spec: its settings for requests that a proxy sends, and for requests that it receives.
struct MeshCircuitBreakerSpec {
  kuma::MeshCircuitBreaker outbound;
  kuma::InboundCircuitBreaker inbound;
};
template <>
struct Grammar<MeshCircuitBreakerSpec> {
  static constexpr const char* definition = "MeshCircuitBreaker.spec";
  static void describe(Fields& fields, MeshCircuitBreakerSpec& object);
};

}  // namespace spillway::messages
