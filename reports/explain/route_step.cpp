#include "reports/explain/route_step.hpp"

#include <algorithm>
#include <fmt/format.h>

#include "reports/explain/wording.hpp"
#include "reports/text/names.hpp"
#include "reports/text/percent.hpp"
#include "reports/text/text_table.hpp"
#include "sim/scenario/client.hpp"
#include "sim/scenario/route.hpp"
#include "sim/scenario/scenario.hpp"
#include "sim/scenario/service_lookup.hpp"
#include "sim/scenario/workload.hpp"

namespace spillway::reports::explain {
namespace {

// Returns "70 % to v1, 30 % to v2", by the names that reports have for the clusters.
std::string division_text(const scenario::Scenario& scenario, const scenario::Route& route) {
  const auto& clusters = route.route.action.clusters;
  const auto name = [&](std::size_t position) {
    return printable(position < route.clusters.size() ? scenario.services[route.clusters[position].value].name
                                                      : clusters[position].name);
  };
  if (clusters.size() == 1) {
    return "all to " + name(0);
  }
  double sum = 0.0;
  for (const auto& cluster : clusters) {
    sum += cluster.weight;
  }
  std::vector<std::string> parts;
  for (std::size_t at = 0; at < clusters.size(); ++at) {
    parts.push_back(exact_percent(sum > 0.0 ? clusters[at].weight / sum : 0.0) + " to " + name(at));
  }
  return some_of(parts);
}

std::vector<std::string> sources_of_origin(const scenario::RouteOrigin& origin) {
  if (origin.name.starts_with("VirtualService")) {
    return {source::istio("10"), "istiod pilot/pkg/networking/core/route/route.go"};
  }
  if (origin.name.starts_with("Mesh")) {
    return {source::kuma("11"), "Kuma meshhttproute/plugin/v1alpha1, meshtcproute/plugin/v1alpha1"};
  }
  return {source::host_pick("11"), "Envoy router/config_impl.cc"};
}

}  // namespace

std::vector<RouteOfKinds> routes_to(const scenario::Scenario& scenario, config::ClientEntryIndex client,
                                    config::ServiceIndex service) {
  std::vector<RouteOfKinds> routes;
  for (const scenario::RequestKind& kind : scenario.clients[client.value].workload.requests) {
    const auto& clusters = scenario.routes[kind.route].clusters;
    if (std::none_of(clusters.begin(), clusters.end(),
                     [&](config::ServiceIndex cluster) { return scenario::asked_for(scenario, cluster) == service; })) {
      continue;
    }
    const auto known =
        std::find_if(routes.begin(), routes.end(), [&](const RouteOfKinds& of) { return of.route == kind.route; });
    RouteOfKinds& of = known == routes.end() ? routes.emplace_back(RouteOfKinds{.route = kind.route}) : *known;
    of.kinds.push_back(kind.name);
  }
  return routes;
}

std::optional<Step> route_step(const scenario::Scenario& scenario, const Sources& sources,
                               config::ClientEntryIndex client, config::ServiceIndex service) {
  Step step{.name = "route"};
  const std::vector<RouteOfKinds> routes = routes_to(scenario, client, service);
  const scenario::RouteOrigin* last = nullptr;
  for (const RouteOfKinds& of : routes) {
    const scenario::Route& route = scenario.routes[of.route];
    for (std::size_t index = 0; index < route.origins.size(); ++index) {
      const scenario::RouteOrigin& origin = route.origins[index];
      last = &origin;
      // The last origin determines the requests' target.
      const bool decides = index + 1 == route.origins.size();
      // For a route of the scenario that decides, the line identifies it.
      const bool own = decides && origin.name == "route";
      Fact fact = words(own ? "" : printable(origin.name), decides ? division_text(scenario, route) : "");
      if (decides && routes.size() > 1) {
        fact.note += ": " + printable(some_of(of.kinds));
      }
      fact.subject += decides && !own ? ":" : "";
      fact.where = place_in_file(sources, origin.where);
      step.facts.push_back(std::move(fact));
    }
  }
  if (last == nullptr) {
    return std::nullopt;
  }
  step.sources = sources_of_origin(*last);
  return step;
}

}  // namespace spillway::reports::explain
