// envoy.config.route.v3.Route as it stands verbatim in files, as far as it is played.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "sim/scenario/written/hash_policy.hpp"
#include "sim/scenario/written/metadata.hpp"
#include "sim/scenario/written/proto.hpp"
#include "sim/scenario/written/retry_policy.hpp"
#include "sim/scenario/written/route_match.hpp"

namespace spillway::scenario::written {

// envoy.config.route.v3.WeightedCluster.
struct WeightedCluster {
  static constexpr const char* definition = "envoy.config.route.v3.WeightedCluster";
  struct ClusterWeight {
    static constexpr const char* definition = "envoy.config.route.v3.WeightedCluster.ClusterWeight";
    Field<std::string> name;
    Field<std::uint64_t> weight;
    Field<Metadata> metadata_match;
    Field<std::string> host_rewrite_literal;
  };
  Field<std::vector<Field<ClusterWeight>>> clusters;
};
void describe(Fields& fields, WeightedCluster::ClusterWeight& cluster);
void describe(Fields& fields, WeightedCluster& clusters);

// envoy.config.route.v3.RouteAction.MaxStreamDuration.
struct MaxStreamDuration {
  static constexpr const char* definition = "envoy.config.route.v3.RouteAction.MaxStreamDuration";
  Field<grammar::Nanoseconds> max_stream_duration;
  Field<grammar::Nanoseconds> grpc_timeout_header_max;
  Field<grammar::Nanoseconds> grpc_timeout_header_offset;
};
void describe(Fields& fields, MaxStreamDuration& duration);

// envoy.config.route.v3.RouteAction.
struct RouteAction {
  static constexpr const char* definition = "envoy.config.route.v3.RouteAction";
  Field<std::string> cluster;
  Field<WeightedCluster> weighted_clusters;
  Field<Metadata> metadata_match;
  Field<std::vector<envoy::routes::HashPolicy>> hash_policy;
  Field<std::string> prefix_rewrite;
  Field<RegexMatchAndSubstitute::Value> regex_rewrite;
  Field<std::string> host_rewrite_literal;
  Field<std::string> host_rewrite_header;
  Field<RegexMatchAndSubstitute::Value> host_rewrite_path_regex;
  Field<bool> auto_host_rewrite;
  Field<bool> append_x_forwarded_host;
  Field<Described<config::RetryPolicy>> retry_policy;
  Field<grammar::Nanoseconds> timeout;
  Field<grammar::Nanoseconds> idle_timeout;
  Field<MaxStreamDuration> max_stream_duration;
  Field<grammar::Nanoseconds> max_grpc_timeout;
  Field<std::size_t> priority;
};
void describe(Fields& fields, RouteAction& action);

struct Route {
  static constexpr const char* definition = "envoy.config.route.v3.Route";
  static inline const std::vector<std::string> priorities = {"DEFAULT", "HIGH"};  // in config::RoutingPriority's order
  Field<RouteMatch> match;
  Field<RouteAction> route;
  Field<grammar::MapOf<AnyShape>::Value> typed_per_filter_config;
};
void describe(Fields& fields, Route& route);

// The messages below are envoy.extensions.filters.http.stateful_session.v3.<Name>.
struct StatefulSession {
  static constexpr const char* definition = "envoy.extensions.filters.http.stateful_session.v3.StatefulSession";
  Field<TypedExtensionConfig> session_state;
  Field<bool> strict;
};
void describe(Fields& fields, StatefulSession& session);

struct StatefulSessionPerRoute {
  Field<bool> disabled;
  Field<StatefulSession> stateful_session;
};
void describe(Fields& fields, StatefulSessionPerRoute& session);

// envoy.extensions.http.stateful_session.cookie.v3.CookieBasedSessionState.
struct CookieBasedSessionState {
  // envoy.type.http.v3.Cookie.
  struct Cookie {
    static constexpr const char* definition = "envoy.type.http.v3.Cookie";
    Field<std::string> name;
    Field<grammar::Nanoseconds> ttl;
    Field<std::string> path;
  };
  Field<Cookie> cookie;
};
void describe(Fields& fields, CookieBasedSessionState::Cookie& cookie);
void describe(Fields& fields, CookieBasedSessionState& state);

// envoy.extensions.http.stateful_session.header.v3.HeaderBasedSessionState.
struct HeaderBasedSessionState {
  Field<std::string> name;
};
void describe(Fields& fields, HeaderBasedSessionState& state);

}  // namespace spillway::scenario::written
