#include "reports/host_places.hpp"

namespace spillway::reports {

std::vector<HostPlace> host_places(const scenario::Scenario& scenario, config::ServiceIndex service) {
  const scenario::Service& backend = scenario.services[service.value];
  std::vector<HostPlace> places;
  places.reserve(backend.endpoints.size());
  for (const config::LocalityLbEndpoints& group : backend.load_assignment.endpoints) {
    for (std::size_t i = 0; i < group.lb_endpoints.size() && places.size() < backend.endpoints.size(); ++i) {
      const scenario::Endpoint& endpoint = backend.endpoints[places.size()];
      places.push_back({backend.cluster.name, group.priority, group.locality.region, group.locality.zone,
                        group.locality.sub_zone, scenario.nodes[endpoint.node.value].name, endpoint.id});
    }
  }
  return places;
}

bool counts_as_healthy(config::HealthStatus status) {
  return status == config::HealthStatus::unknown || status == config::HealthStatus::healthy;
}

}  // namespace spillway::reports
