#include "reports/envoy/routes.hpp"

#include <utility>

#include "sim/scenario/written/header_to_metadata.hpp"
#include "sim/scenario/written/route.hpp"

namespace spillway::reports::envoy_export {
namespace {

namespace routes = envoy::routes;
using scenario::written::Grammar;

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
  scenario::written::RouteAction action{.action = route.route.action,
                                        .retry_policy = route.retry_policy,
                                        .timeout = route.timeout,
                                        .priority = route.priority};
  if (route.stream_timeout > scenario::Nanoseconds{0}) {
    action.idle_timeout = route.stream_timeout;
  }
  for (std::size_t i = 0; i < route.clusters.size(); ++i) {
    action.action.clusters[i].name = scenario.services[route.clusters[i].value].name;
  }
  Json json = {{"match", message_json(route.route.match)}, {"route", message_json(action)}};
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
