#include "reports/envoy/routes.hpp"

#include <utility>

#include "sim/scenario/written/hash_policy.hpp"
#include "sim/scenario/written/header_to_metadata.hpp"
#include "sim/scenario/written/retry_policy.hpp"

namespace spillway::reports::envoy_export {
namespace {

namespace routes = envoy::routes;
using scenario::written::Grammar;
using scenario::written::HashPolicy;
using scenario::written::Items;

Json regex_rewrite_json(const routes::RegexRewrite& rewrite) {
  return json_of(scenario::written::RegexMatchAndSubstitute{}.write(rewrite));
}

void add_rewrite(Json& action, const routes::Rewrite& rewrite) {
  if (!rewrite.prefix_rewrite.empty()) {
    action["prefix_rewrite"] = rewrite.prefix_rewrite;
  }
  if (rewrite.regex_rewrite) {
    action["regex_rewrite"] = regex_rewrite_json(*rewrite.regex_rewrite);
  }
  if (!rewrite.host_rewrite_literal.empty()) {
    action["host_rewrite_literal"] = rewrite.host_rewrite_literal;
  }
  if (!rewrite.host_rewrite_header.empty()) {
    action["host_rewrite_header"] = rewrite.host_rewrite_header;
  }
  if (rewrite.host_rewrite_path_regex) {
    action["host_rewrite_path_regex"] = regex_rewrite_json(*rewrite.host_rewrite_path_regex);
  }
  if (rewrite.append_x_forwarded_host) {
    action["append_x_forwarded_host"] = true;
  }
}

Json header_matcher_json(const routes::HeaderMatcher& matcher) {
  using Kind = routes::HeaderMatcher::Kind;
  Json json = {{"name", matcher.name}};
  switch (matcher.kind) {
    case Kind::present:
      json["present_match"] = matcher.present_match;
      break;
    case Kind::exact:
      json["string_match"] = {{"exact", matcher.value}};
      break;
    case Kind::prefix:
      json["string_match"] = {{"prefix", matcher.value}};
      break;
    case Kind::suffix:
      json["string_match"] = {{"suffix", matcher.value}};
      break;
    case Kind::contains:
      json["string_match"] = {{"contains", matcher.value}};
      break;
    case Kind::regex:
      json["string_match"] = {{"safe_regex", {{"regex", matcher.value}}}};
      break;
    case Kind::range:
      json["range_match"] = {{"start", matcher.range_start}, {"end", matcher.range_end}};
      break;
  }
  if (matcher.invert_match) {
    json["invert_match"] = true;
  }
  if (matcher.treat_missing_header_as_empty) {
    json["treat_missing_header_as_empty"] = true;
  }
  return json;
}

Json query_parameter_matcher_json(const routes::QueryParameterMatcher& matcher) {
  using Kind = routes::QueryParameterMatcher::Kind;
  Json json = {{"name", matcher.name}};
  switch (matcher.kind) {
    case Kind::present:
      json["present_match"] = true;
      break;
    case Kind::exact:
      json["string_match"] = {{"exact", matcher.value}};
      break;
    case Kind::prefix:
      json["string_match"] = {{"prefix", matcher.value}};
      break;
    case Kind::regex:
      json["string_match"] = {{"safe_regex", {{"regex", matcher.value}}}};
      break;
  }
  return json;
}

Json match_json(const routes::RouteMatch& match) {
  Json json = Json::object();
  switch (match.path_kind) {
    case routes::RouteMatch::PathKind::prefix:
      json["prefix"] = match.path;
      break;
    case routes::RouteMatch::PathKind::path:
      json["path"] = match.path;
      break;
    case routes::RouteMatch::PathKind::regex:
      json["safe_regex"] = {{"regex", match.path}};
      break;
  }
  if (!match.case_sensitive) {
    json["case_sensitive"] = false;
  }
  for (const routes::HeaderMatcher& matcher : match.headers) {
    json["headers"].push_back(header_matcher_json(matcher));
  }
  for (const routes::QueryParameterMatcher& matcher : match.query_parameters) {
    json["query_parameters"].push_back(query_parameter_matcher_json(matcher));
  }
  return json;
}

// A single cluster may carry metadata of its own only as one of a list.
void add_clusters(Json& action, const scenario::Scenario& scenario, const scenario::Route& route) {
  const std::vector<routes::WeightedCluster>& clusters = route.route.action.clusters;
  if (clusters.size() == 1 && !clusters.front().metadata_match && clusters.front().host_rewrite_literal.empty()) {
    action["cluster"] = scenario.services[route.clusters.front().value].name;
    return;
  }
  for (std::size_t i = 0; i < clusters.size(); ++i) {
    Json json = {{"name", scenario.services[route.clusters[i].value].name}, {"weight", clusters[i].weight}};
    if (clusters[i].metadata_match) {
      json["metadata_match"] = lb_metadata_json(*clusters[i].metadata_match);
    }
    if (!clusters[i].host_rewrite_literal.empty()) {
      json["host_rewrite_literal"] = clusters[i].host_rewrite_literal;
    }
    action["weighted_clusters"]["clusters"].push_back(std::move(json));
  }
}

Json session_json(const scenario::StatefulSession& session) {
  Json state;
  if (session.state == envoy::SessionState::cookie) {
    Json cookie = {{"name", session.name}, {"ttl", duration_json(session.ttl)}};
    if (!session.path.empty()) {
      cookie["path"] = session.path;
    }
    state = extension_json("envoy.http.stateful_session.cookie",
                           "envoy.extensions.http.stateful_session.cookie.v3.CookieBasedSessionState",
                           {{"cookie", std::move(cookie)}});
  } else {
    state = extension_json("envoy.http.stateful_session.header",
                           "envoy.extensions.http.stateful_session.header.v3.HeaderBasedSessionState",
                           {{"name", session.name}});
  }
  return any_json("envoy.extensions.filters.http.stateful_session.v3.StatefulSessionPerRoute",
                  {{"stateful_session", {{"session_state", std::move(state)}, {"strict", session.strict}}}});
}

}  // namespace

Json route_json(const scenario::Scenario& scenario, const scenario::Route& route) {
  Json action = Json::object();
  add_clusters(action, scenario, route);
  if (route.route.action.metadata_match) {
    action["metadata_match"] = lb_metadata_json(*route.route.action.metadata_match);
  }
  if (!route.route.action.hash_policy.empty()) {
    action["hash_policy"] = json_of(Items<HashPolicy>{}.write(route.route.action.hash_policy));
  }
  add_rewrite(action, route.route.action.rewrite);
  if (route.retry_policy) {
    action["retry_policy"] = message_json(*route.retry_policy);
  }
  action["timeout"] = duration_json(route.timeout);
  if (route.stream_timeout > scenario::Nanoseconds{0}) {
    action["idle_timeout"] = duration_json(route.stream_timeout);
  }
  if (route.priority == config::RoutingPriority::high) {
    action["priority"] = "HIGH";
  }
  Json json = {{"match", match_json(route.route.match)}, {"route", std::move(action)}};
  if (route.stateful_session) {
    json["typed_per_filter_config"]["envoy.filters.http.stateful_session"] = session_json(*route.stateful_session);
  }
  if (!route.header_to_metadata.request_rules.empty()) {
    json["typed_per_filter_config"]["envoy.filters.http.header_to_metadata"] =
        any_json(Grammar<routes::HeaderToMetadata>::definition, message_json(route.header_to_metadata));
  }
  return json;
}

Json catch_all_route_json(const std::string& cluster) {
  return {{"match", {{"prefix", "/"}}}, {"route", {{"cluster", cluster}}}};
}

}  // namespace spillway::reports::envoy_export
