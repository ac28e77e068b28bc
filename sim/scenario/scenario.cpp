#include "sim/scenario/scenario.hpp"

#include <algorithm>
#include <utility>

#include "sim/scenario/client.hpp"
#include "sim/scenario/route.hpp"
#include "sim/scenario/service_lookup.hpp"

namespace spillway::scenario {

std::optional<config::LinkIndex> link_between(const Scenario& scenario, config::ZoneIndex one,
                                              config::ZoneIndex other) {
  for (std::uint32_t index = 0; index < scenario.links.size(); ++index) {
    const Link& link = scenario.links[index];
    if ((link.first == one && link.second == other) || (link.first == other && link.second == one)) {
      return config::LinkIndex{index};
    }
  }
  return std::nullopt;
}

double core_seconds(const Endpoint& endpoint) {
  return endpoint.capacity && endpoint.servers ? endpoint.servers->cores / *endpoint.capacity
                                               : static_cast<double>(endpoint.service_time.count()) * 1e-9;
}

std::string name_with_region(const std::string& region, const std::string& zone) {
  return zone.empty() ? region : region + "/" + zone;
}

bool is_called(const Zone& zone, const std::string& text) {
  return zone.name == text || name_with_region(zone.region, zone.locality_zone.value_or(zone.name)) == text;
}

config::Locality locality_of(const Scenario& scenario, config::NodeIndex index) {
  const Node& node = scenario.nodes[index.value];
  const Zone& zone = scenario.zones[node.zone.value];
  return {zone.region, zone.locality_zone.value_or(zone.name), node.sub_zone};
}

const config::LbEndpoint* lb_endpoint_of(const Service& service, config::HostIndex host) {
  std::uint32_t position = host.value;
  for (const config::LocalityLbEndpoints& group : service.load_assignment.endpoints) {
    if (position < group.lb_endpoints.size()) {
      return &group.lb_endpoints[position];
    }
    position -= static_cast<std::uint32_t>(group.lb_endpoints.size());
  }
  return nullptr;
}

std::vector<config::ServiceIndex> members_of(const Scenario& scenario, config::ServiceIndex service) {
  const Service& of = scenario.services[service.value];
  if (of.as_view && !of.as_view->members.empty()) {
    return of.as_view->members;
  }
  std::vector<config::ServiceIndex> members;
  for (const std::string& child : of.cluster.aggregate_clusters) {
    const auto found = std::find_if(scenario.services.begin(), scenario.services.end(),
                                    [&](const Service& candidate) { return candidate.name == child; });
    if (found != scenario.services.end()) {
      members.push_back({static_cast<std::uint32_t>(found - scenario.services.begin())});
    }
  }
  if (of.cluster.aggregate_clusters.empty()) {
    members.push_back(service);
  }
  return members;
}

void add_origins(SharedList<Route>& routes, std::uint32_t route, const std::vector<RouteOrigin>& more) {
  for (const RouteOrigin& origin : more) {
    // Reads before it writes, because writing to a shared list copies the route.
    const std::vector<RouteOrigin>& known = std::as_const(routes)[route].origins;
    if (std::find(known.begin(), known.end(), origin) == known.end()) {
      routes[route].origins.push_back(origin);
    }
  }
}

bool reaches_priority(const Scenario& scenario, config::ServiceIndex service, config::Priority priority) {
  const auto has = [&](const Service& of) {
    const auto& localities = of.load_assignment.endpoints;
    return std::any_of(localities.begin(), localities.end(),
                       [&](const auto& locality) { return locality.priority.value >= priority.value; });
  };
  const std::vector<config::ServiceIndex> members = members_of(scenario, service);
  return std::any_of(members.begin(), members.end(), [&](config::ServiceIndex member) {
    return has(scenario.services[member.value]) ||
           std::any_of(scenario.services.begin(), scenario.services.end(),
                       [&](const Service& view) { return view.as_view && view.as_view->of == member && has(view); });
  });
}

std::vector<config::ServiceIndex> services_of(const Scenario& scenario, const ClientEntry& client) {
  if (client.zone_proxy) {
    return client.forwards;
  }
  std::vector<config::ServiceIndex> services;
  for (const RequestKind& kind : client.workload.requests) {
    for (const config::ServiceIndex service : scenario.routes[kind.route].clusters) {
      if (std::find(services.begin(), services.end(), service) == services.end()) {
        services.push_back(service);
      }
    }
  }
  if (client.workload.requests.empty()) {
    services.push_back(client.workload.service);
  }
  return services;
}

}  // namespace spillway::scenario
