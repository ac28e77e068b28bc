#include "reports/envoy/routes.hpp"

#include <utility>

#include "models/documents/node_edit.hpp"
#include "models/envoy/api/fault.hpp"
#include "models/envoy/api/header_to_metadata.hpp"
#include "models/envoy/api/route.hpp"
#include "models/envoy/api/stateful_session.hpp"
#include "sim/scenario/route.hpp"
#include "sim/scenario/scenario.hpp"
#include "sim/scenario/service.hpp"

namespace spillway::reports::envoy_export {

using messages::write_any;

documents::Node route_message(const scenario::Scenario& scenario, const scenario::Route& route) {
  messages::RouteAction action{route.route.action, route};
  for (std::size_t i = 0; i < route.clusters.size(); ++i) {
    action.clusters[i].name = scenario.services[route.clusters[i].value].name;
  }
  documents::Node message = documents::make_object(
      {{"match", messages::write_message(route.route.match)}, {"route", messages::write_message(action)}});
  documents::Node filters;
  if (route.stateful_session) {
    member(filters, "envoy.filters.http.stateful_session") =
        write_any(messages::StatefulSessionPerRoute{route.stateful_session});
  }
  if (!route.header_to_metadata.request_rules.empty()) {
    member(filters, "envoy.filters.http.header_to_metadata") = write_any(route.header_to_metadata);
  }
  if (route.delayed_per_million > 0) {
    member(filters, "envoy.filters.http.fault") =
        write_any(messages::FaultDelay{route.delayed_per_million, route.delay});
  }
  if (!is_empty(filters)) {
    member(message, "typed_per_filter_config") = std::move(filters);
  }
  return message;
}

Json catch_all_route_json(const std::string& cluster) {
  return {{"match", {{"prefix", "/"}}}, {"route", {{"cluster", cluster}}}};
}

}  // namespace spillway::reports::envoy_export
