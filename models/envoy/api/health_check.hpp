// envoy.config.core.v3.HealthCheck.
#pragma once

#include "models/config/health_check.hpp"
#include "models/envoy/api/common_messages.hpp"

namespace spillway::messages {

template <>
struct Grammar<config::HttpHealthCheck> {
  static constexpr const char* definition = "envoy.config.core.v3.HealthCheck.HttpHealthCheck";
  static void describe(Fields& fields, config::HttpHealthCheck& check);
};

template <>
struct Grammar<config::TcpHealthCheck> {
  static constexpr const char* definition = "envoy.config.core.v3.HealthCheck.TcpHealthCheck";
  static void describe(Fields& fields, config::TcpHealthCheck& check);
};

template <>
struct Grammar<config::GrpcHealthCheck> {
  static constexpr const char* definition = "envoy.config.core.v3.HealthCheck.GrpcHealthCheck";
  static void describe(Fields& fields, config::GrpcHealthCheck& check);
};

template <>
struct Grammar<config::HealthCheck> {
  static constexpr const char* definition = "envoy.config.core.v3.HealthCheck";
  static constexpr const char* refused = "this health check";
  static void describe(Fields& fields, config::HealthCheck& check);
};

}  // namespace spillway::messages
