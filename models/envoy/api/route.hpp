// envoy.config.route.v3.Route as written in files, to the extent supported.
#pragma once

#include <optional>
#include <string>

#include "models/envoy/api/hash_policy.hpp"
#include "models/envoy/api/proto.hpp"
#include "models/envoy/api/retry_policy.hpp"
#include "models/envoy/api/route_match.hpp"
#include "models/envoy/routes/route.hpp"

namespace spillway::messages {

template <>
struct Grammar<envoy::routes::WeightedCluster> {
  static constexpr const char* definition = "envoy.config.route.v3.WeightedCluster.ClusterWeight";
  static void describe(Fields& fields, envoy::routes::WeightedCluster& cluster);
};

struct MaxStreamDuration {
  std::optional<grammar::Nanoseconds> max_stream_duration = {};
  std::optional<grammar::Nanoseconds> grpc_timeout_header_max = {};
  std::optional<grammar::Nanoseconds> grpc_timeout_header_offset = {};
};
template <>
struct Grammar<MaxStreamDuration> {
  static constexpr const char* definition = "envoy.config.route.v3.RouteAction.MaxStreamDuration";
  static void describe(Fields& fields, MaxStreamDuration& duration);
};

// A route's action on a request, with its timeouts.
struct RouteAction : envoy::routes::RouteAction, envoy::routes::TimeoutsAndRetries {
  bool timeout_replaced = false;  // true if `max_stream_duration` overrides the `timeout` written
};
template <>
struct Grammar<RouteAction> {
  static constexpr const char* definition = "envoy.config.route.v3.RouteAction";
  static void describe(Fields& fields, RouteAction& action);
};

struct Route {
  static constexpr const char* definition = "envoy.config.route.v3.Route";
  Field<Described<envoy::routes::RouteMatch>> match;
  Field<Described<RouteAction>> route;
  Field<grammar::MapOf<AnyShape>::Value> typed_per_filter_config;
};
void describe(Fields& fields, Route& route);

}  // namespace spillway::messages
