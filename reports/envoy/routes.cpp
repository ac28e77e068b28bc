#include "reports/envoy/routes.hpp"

#include <utility>

#include "models/envoy/api/header_to_metadata.hpp"
#include "models/envoy/api/route.hpp"
#include "models/envoy/api/stateful_session.hpp"
#include "sim/scenario/route.hpp"
#include "sim/scenario/scenario.hpp"
#include "sim/scenario/service.hpp"

namespace spillway::reports::envoy_export {

using messages::write_any;

Json route_json(const scenario::Scenario& scenario, const scenario::Route& route) {
  messages::RouteAction action{route.route.action, route};
  for (std::size_t i = 0; i < route.clusters.size(); ++i) {
    action.clusters[i].name = scenario.services[route.clusters[i].value].name;
  }
  Json json = {{"match", message_json(route.route.match)}, {"route", message_json(action)}};
  if (route.stateful_session) {
    json["typed_per_filter_config"]["envoy.filters.http.stateful_session"] =
        json_of(write_any(messages::StatefulSessionPerRoute{route.stateful_session}));
  }
  if (!route.header_to_metadata.request_rules.empty()) {
    json["typed_per_filter_config"]["envoy.filters.http.header_to_metadata"] =
        json_of(write_any(route.header_to_metadata));
  }
  return json;
}

Json catch_all_route_json(const std::string& cluster) {
  return {{"match", {{"prefix", "/"}}}, {"route", {{"cluster", cluster}}}};
}

}  // namespace spillway::reports::envoy_export
