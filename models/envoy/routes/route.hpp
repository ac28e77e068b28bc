// Chooses the cluster of a request (envoy.config.route.v3.Route): by path, headers and query, then by weights.
//
//   const Route* route = match(routes, request);
//   const WeightedCluster& target = choose_cluster(route->action, draw());
//
// Source: docs/behaviour/envoy-host-pick.md 11, 12; Envoy's router/config_impl.cc.
#pragma once

#include <chrono>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "models/config/circuit_breakers.hpp"
#include "models/config/metadata.hpp"
#include "models/config/retry_policy.hpp"
#include "models/envoy/routes/hash_policy.hpp"
#include "models/envoy/routes/request.hpp"
#include "models/envoy/routes/rewrite.hpp"

namespace spillway::envoy::routes {

// A condition on a header. The default requires its presence.
struct HeaderMatcher {
  enum class Kind : std::uint8_t { present, exact, prefix, suffix, contains, regex, range };
  std::string name;
  Kind kind = Kind::present;
  std::string value = {};
  std::int64_t range_start = 0;  // included
  std::int64_t range_end = 0;    // not included
  bool present_match = true;     // for kind present; false requires absence
  bool invert_match = false;
  bool treat_missing_header_as_empty = false;

  friend bool operator==(const HeaderMatcher&, const HeaderMatcher&) = default;
};

// True if the request meets the condition. For a repeated header any value may match; if inverted, none may. An absent
// header meets no condition on a value, inverted or not.
[[nodiscard]] bool matches(const HeaderMatcher& matcher, const Request& request);

// A condition on a parameter of the path's query. Kind present requires its presence; others compare its first value.
struct QueryParameterMatcher {
  enum class Kind : std::uint8_t { present, exact, prefix, regex };
  std::string name;
  Kind kind = Kind::present;
  std::string value = {};

  friend bool operator==(const QueryParameterMatcher&, const QueryParameterMatcher&) = default;
};

[[nodiscard]] bool matches(const QueryParameterMatcher& matcher, const Request& request);

struct RouteMatch {
  enum class PathKind : std::uint8_t { prefix, path, regex };
  PathKind path_kind = PathKind::prefix;
  std::string path = "/";  // compared with :path up to "?" or "#"; a prefix with all of it
  bool case_sensitive = true;
  std::vector<HeaderMatcher> headers = {};
  std::vector<QueryParameterMatcher> query_parameters = {};

  friend bool operator==(const RouteMatch&, const RouteMatch&) = default;
};

struct WeightedCluster {
  std::string name;
  std::uint32_t weight = 1;
  std::optional<config::Struct> metadata_match = std::nullopt;
  std::string host_rewrite_literal = {};  // applied before the route's own rewrites; empty if not set

  friend bool operator==(const WeightedCluster&, const WeightedCluster&) = default;
};

// The destination of a RouteAction and its changes to requests.
struct RouteAction {
  std::vector<WeightedCluster> clusters = {};  // one, or several with weights
  std::optional<config::Struct> metadata_match = std::nullopt;
  std::vector<HashPolicy> hash_policy = {};
  Rewrite rewrite = {};

  friend bool operator==(const RouteAction&, const RouteAction&) = default;
};

// A RouteAction's timeouts, its retry policy, and the priority that selects the circuit breakers.
struct TimeoutsAndRetries {
  std::optional<config::RetryPolicy> retry_policy = {};
  std::chrono::nanoseconds timeout = std::chrono::seconds{15};  // of the whole request, by the router; 0 means none
  // Timeout of the whole request, enforced by the connection manager (idle_timeout, max_stream_duration). It does not
  // count as an endpoint's failure. 0 means none.
  std::chrono::nanoseconds stream_timeout{0};
  // True if gRPC requests bring their own timeouts (grpc_timeout_header_max, max_grpc_timeout).
  bool reads_grpc_timeout = false;
  config::RoutingPriority priority = config::RoutingPriority::default_priority;
};

struct Route {
  RouteMatch match = {};
  RouteAction action = {};

  friend bool operator==(const Route&, const Route&) = default;
};

[[nodiscard]] bool matches(const RouteMatch& match, const Request& request);

// Returns the first route that matches; null if none does.
[[nodiscard]] const Route* match(std::span<const Route> routes, const Request& request);

// Returns the cluster for a draw: draw % sum of weights, walked along the list. Null if all weights are 0.
[[nodiscard]] const WeightedCluster* choose_cluster(const RouteAction& action, std::uint64_t draw) noexcept;

}  // namespace spillway::envoy::routes
