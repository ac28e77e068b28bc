#include "models/kuma/proxy/route_matches.hpp"

#include <algorithm>
#include <set>
#include <string>
#include <string_view>
#include <utility>

#include "models/kuma/mesh_http_route.hpp"

namespace spillway::kuma {

using envoy::routes::HeaderMatcher;
using envoy::routes::QueryParameterMatcher;
using envoy::routes::RouteMatch;

namespace {

std::vector<RouteMatch> path_matches(const HttpMatch& match) {
  using Kind = RouteMatch::PathKind;
  if (!match.path) {
    return {RouteMatch{}};
  }
  const std::string_view type = value_of(match.path->type);
  const std::string value(value_of(match.path->value));
  if (type == "Exact") {
    return {RouteMatch{.path_kind = Kind::path, .path = value}};
  }
  if (type == "RegularExpression") {
    return {RouteMatch{.path_kind = Kind::regex, .path = value}};
  }
  if (value == "/") {
    return {RouteMatch{}};
  }
  const std::string stem = value.ends_with('/') ? value.substr(0, value.size() - 1) : value;
  return {RouteMatch{.path_kind = Kind::path, .path = stem}, RouteMatch{.path_kind = Kind::prefix, .path = stem + "/"}};
}

// Adds the conditions of a match. Of several conditions on one name Kuma writes the first.
void add_conditions(const HttpMatch& match, RouteMatch& into) {
  if (match.method) {
    into.headers.push_back({.name = ":method", .kind = HeaderMatcher::Kind::exact, .value = *match.method});
  }
  std::set<std::string_view> names;
  for (const QueryParamsMatch& parameter : match.queryParams.value_or(std::vector<QueryParamsMatch>{})) {
    const bool regex = value_of(parameter.type) == "RegularExpression";
    QueryParameterMatcher matcher{
        .name = std::string(value_of(parameter.name)),
        .kind = regex ? QueryParameterMatcher::Kind::regex : QueryParameterMatcher::Kind::exact,
        .value = std::string(value_of(parameter.value))};
    if (std::none_of(into.query_parameters.begin(), into.query_parameters.end(),
                     [&](const auto& other) { return other.name == matcher.name; })) {
      into.query_parameters.push_back(std::move(matcher));
    }
  }
  std::set<std::string> headers;
  for (const HeaderMatch& header : match.headers.value_or(std::vector<HeaderMatch>{})) {
    if (headers.insert(std::string(value_of(header.name))).second) {
      into.headers.push_back(header_matcher(header));
    }
  }
}

}  // namespace

HeaderMatcher header_matcher(const HeaderMatch& match) {
  using Kind = HeaderMatcher::Kind;
  const std::string_view type = value_of(match.type);
  HeaderMatcher matcher{.name = std::string(value_of(match.name)), .value = std::string(value_of(match.value))};
  const bool empty_prefix = type == "Prefix" && matcher.value.empty();
  matcher.kind = type == "RegularExpression"                             ? Kind::regex
                 : type == "Present" || type == "Absent" || empty_prefix ? Kind::present
                 : type == "Prefix"                                      ? Kind::prefix
                                                                         : Kind::exact;
  matcher.present_match = type != "Absent";
  if (matcher.kind == Kind::present) {
    matcher.value.clear();
  }
  return matcher;
}

std::vector<RouteMatch> route_matches(const HttpMatch& match) {
  std::vector<RouteMatch> matches = path_matches(match);
  for (RouteMatch& one : matches) {
    add_conditions(match, one);
  }
  return matches;
}

}  // namespace spillway::kuma
