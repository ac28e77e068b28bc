#include "reports/shares/host_places.hpp"

#include "sim/scenario/scenario.hpp"
#include "sim/scenario/service_lookup.hpp"

namespace spillway::reports {

std::vector<HostPlace> host_places(const scenario::Scenario& scenario, config::ServiceIndex service) {
  std::vector<HostPlace> places;
  scenario::for_each_member(scenario, service, [&](config::ServiceIndex member) {
    const scenario::Service& backend = scenario.services[member.value];
    config::HostIndex host{0};
    for (const config::LocalityLbEndpoints& group : backend.load_assignment.endpoints) {
      for (std::size_t i = 0; i < group.lb_endpoints.size(); ++i, ++host.value) {
        const scenario::Endpoint& endpoint = scenario::endpoint_at(scenario, member, host);
        const scenario::Node& node = scenario.nodes[endpoint.node.value];
        const scenario::Zone& zone = scenario.zones[node.zone.value];
        places.push_back({backend.name, group.priority, zone.region, zone.name, node.sub_zone, node.name, endpoint.id});
      }
    }
  });
  return places;
}

}  // namespace spillway::reports
