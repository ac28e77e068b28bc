// envoy.config.cluster.v3.CircuitBreakers.
#pragma once

#include "models/config/circuit_breakers.hpp"
#include "models/envoy/api/common_messages.hpp"

namespace spillway::messages {

template <>
struct Grammar<config::RetryBudget> {
  static constexpr const char* definition = "envoy.config.cluster.v3.CircuitBreakers.Thresholds.RetryBudget";
  static void describe(Fields& fields, config::RetryBudget& budget);
};

template <>
struct Grammar<config::CircuitBreakerThresholds> {
  static constexpr const char* definition = "envoy.config.cluster.v3.CircuitBreakers.Thresholds";
  static void describe(Fields& fields, config::CircuitBreakerThresholds& thresholds);
};

template <>
struct Grammar<config::CircuitBreakers> {
  static constexpr const char* definition = "envoy.config.cluster.v3.CircuitBreakers";
  static constexpr const char* refused = "these circuit breakers";
  static void describe(Fields& fields, config::CircuitBreakers& breakers);
};

}  // namespace spillway::messages
