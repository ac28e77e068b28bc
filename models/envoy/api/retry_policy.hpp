// envoy.config.route.v3.RetryPolicy.
#pragma once

#include "models/config/retry_policy.hpp"
#include "models/envoy/api/message_shapes.hpp"

namespace spillway::messages {

template <>
struct Grammar<config::RetryBackOff> {
  static constexpr const char* definition = "envoy.config.route.v3.RetryPolicy.RetryBackOff";
  static void describe(Fields& fields, config::RetryBackOff& back_off);
};

template <>
struct Grammar<config::RetryPolicy> {
  static constexpr const char* definition = "envoy.config.route.v3.RetryPolicy";
  static constexpr const char* refused = "this retry policy";
  static void describe(Fields& fields, config::RetryPolicy& policy);
};

}  // namespace spillway::messages
