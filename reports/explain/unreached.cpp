#include "reports/explain/unreached.hpp"

#include <algorithm>
#include <fmt/format.h>
#include <map>
#include <utility>

#include "reports/text/text_table.hpp"
#include "sim/run/traffic/targets.hpp"

namespace spillway::reports::explain {
namespace {

// Of Istio's views: zones of localities in the load assignment, where a network gateway may stand for what is in them.
// Envoy keeps one of equal gateways, so that the others' localities are empty.
void add_assigned_zones(const scenario::Scenario& scenario, config::ServiceIndex view, std::vector<bool>& reached) {
  const scenario::Service& service = scenario.services[view.value];
  if (!service.as_view || !service.as_view->istio_trail) {
    return;
  }
  const std::vector<istio::Placement>& placements = service.as_view->istio_trail->groups;
  const auto& groups = service.load_assignment.endpoints;
  for (std::size_t group = 0; group < std::min(groups.size(), placements.size()); ++group) {
    for (std::size_t zone = 0; zone < scenario.zones.size(); ++zone) {
      const scenario::Zone& of = scenario.zones[zone];
      const bool is_there = groups[group].locality.region == of.region &&
                            groups[group].locality.zone == of.locality_zone.value_or(of.name);
      reached[zone] = reached[zone] || (is_there && placements[group].by != istio::PlacedBy::no_key);
    }
  }
}

}  // namespace

std::vector<std::string> unreached_zones(const scenario::Scenario& scenario,
                                         const std::vector<config::ServiceIndex>& views) {
  std::vector<bool> reached(scenario.zones.size(), false);
  std::vector<bool> has_endpoints(scenario.zones.size(), false);
  const auto zone_of = [&](config::EndpointIndex endpoint) {
    return scenario.nodes[scenario.endpoints[endpoint.value].node.value].zone.value;
  };
  for (const config::ServiceIndex view : views) {
    const run::Targets targets(scenario, view);
    for (std::uint32_t target = 0; target < targets.size(); ++target) {
      reached[zone_of(targets.at(target).endpoint)] = true;
    }
    add_assigned_zones(scenario, view, reached);
    for (const scenario::Host& host : scenario.services[scenario::asked_for(scenario, view).value].hosts) {
      has_endpoints[zone_of(host.endpoint)] = true;
    }
  }
  std::vector<std::string> zones;
  for (std::size_t zone = 0; zone < scenario.zones.size(); ++zone) {
    if (has_endpoints[zone] && !reached[zone]) {
      zones.push_back(scenario.zones[zone].name);
    }
  }
  return zones;
}

std::vector<std::vector<config::ServiceIndex>> views_by_service(const scenario::Scenario& scenario,
                                                                const scenario::ClientEntry& client) {
  std::vector<std::vector<config::ServiceIndex>> services;
  for (const config::ServiceIndex view : scenario::services_of(scenario, client)) {
    const config::ServiceIndex asked = scenario::asked_for(scenario, view);
    const auto known = std::find_if(services.begin(), services.end(), [&](const auto& views) {
      return scenario::asked_for(scenario, views.front()) == asked;
    });
    if (known == services.end()) {
      services.push_back({view});
    } else {
      known->push_back(view);
    }
  }
  return services;
}

std::vector<std::string> unreached_lines(const scenario::Scenario& scenario) {
  std::vector<std::string> lines;
  if (!scenario.cla_cache) {
    return lines;
  }
  struct Unreached {
    std::vector<std::string> zones = {};
    std::vector<std::string> clients = {};
  };
  std::map<std::vector<config::ServiceIndex>, Unreached> known;
  std::vector<std::vector<config::ServiceIndex>> order;
  std::size_t askers = 0;
  for (const scenario::ClientEntry& client : scenario.clients) {
    if (client.zone_proxy) {
      continue;
    }
    for (const auto& views : views_by_service(scenario, client)) {
      ++askers;
      const auto [found, is_new] = known.try_emplace(views);
      if (is_new) {
        found->second.zones = unreached_zones(scenario, views);
        order.push_back(views);
      }
      found->second.clients.push_back(client.name);
    }
  }
  for (const auto& views : order) {
    const Unreached& of = known[views];
    const std::string& service = scenario.services[scenario::asked_for(scenario, views.front()).value].name;
    const std::string others =
        of.clients.size() > 1 ? fmt::format(" and {} more", of.clients.size() - 1) : std::string();
    const std::string from =
        askers == 1 ? "" : fmt::format(" from {}{} -> {}", printable(of.clients.front()), others, printable(service));
    for (const std::string& zone : of.zones) {
      lines.push_back(fmt::format("{} is reached by no rule{} (see: spillway explain ... --why {})", printable(zone),
                                  from, printable(zone)));
    }
  }
  return lines;
}

}  // namespace spillway::reports::explain
