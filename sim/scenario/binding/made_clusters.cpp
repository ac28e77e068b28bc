#include "sim/scenario/binding/made_clusters.hpp"

#include <memory>

#include "sim/scenario/missing_cluster.hpp"
#include "sim/scenario/service.hpp"

namespace spillway::scenario::binding {

config::ServiceIndex add_cluster(Scenario& scenario, Service service) {
  scenario.services.push_back(std::move(service));
  return {static_cast<std::uint32_t>(scenario.services.size() - 1)};
}

config::ServiceIndex add_missing_cluster(Scenario& scenario, std::string name, std::optional<config::ServiceIndex> of,
                                         MissingCluster missing) {
  Service service;
  service.name = service.cluster.name = service.load_assignment.cluster_name = std::move(name);
  if (of) {
    service.as_view = View{*of};
  }
  service.missing = std::make_shared<const MissingCluster>(std::move(missing));
  return add_cluster(scenario, std::move(service));
}

void add_host(Service& service, config::EndpointIndex endpoint, const config::Locality& locality,
              config::LbEndpoint written) {
  auto& groups = service.load_assignment.endpoints;
  if (groups.empty() || groups.back().locality != locality) {
    groups.push_back({locality, {}, std::nullopt, {}});
  }
  groups.back().lb_endpoints.push_back(std::move(written));
  service.hosts.push_back({endpoint});
}

}  // namespace spillway::scenario::binding
