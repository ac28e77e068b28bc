// envoy.config.route.v3.RouteMatch and HeaderMatcher: conditions under which a route applies to a request.
#pragma once

#include "models/envoy/api/common_messages.hpp"
#include "models/envoy/api/string_matcher.hpp"
#include "models/envoy/routes/route.hpp"

namespace spillway::messages {

template <>
struct Grammar<envoy::routes::HeaderMatcher> {
  static constexpr const char* definition = "envoy.config.route.v3.HeaderMatcher";
  static void describe(Fields& fields, envoy::routes::HeaderMatcher& matcher);
};

template <>
struct Grammar<envoy::routes::QueryParameterMatcher> {
  static constexpr const char* definition = "envoy.config.route.v3.QueryParameterMatcher";
  static void describe(Fields& fields, envoy::routes::QueryParameterMatcher& matcher);
};

template <>
struct Grammar<envoy::routes::RouteMatch> {
  static constexpr const char* definition = "envoy.config.route.v3.RouteMatch";
  static void describe(Fields& fields, envoy::routes::RouteMatch& match);
};

}  // namespace spillway::messages
