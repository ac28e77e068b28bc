#include "reports/shares/share_order.hpp"

#include "sim/run/records/shares.hpp"
#include "sim/scenario/scenario.hpp"
#include "sim/scenario/service.hpp"

namespace spillway::reports {

ShareOrder::ShareOrder(const scenario::Scenario& scenario) : scenario_(&scenario) {
  for (const scenario::Zone& zone : scenario.zones) {
    zones_.emplace(zone.name, zones_.size());
  }
  for (const scenario::Node& node : scenario.nodes) {
    nodes_.emplace(node.name, nodes_.size());
  }
  for (const scenario::Service& service : scenario.services) {
    ServicePlaces& places = services_.emplace_back();
    for (const std::string& cluster : service.cluster.aggregate_clusters) {
      places.clusters.emplace(cluster, places.clusters.size());
    }
  }
}

// Returns the position of a name; names missing from the scenario come last.
std::size_t ShareOrder::place(const Places& places, const std::string& name) {
  const auto found = places.find(name);
  return found == places.end() ? places.size() : found->second;
}

// Returns the position of an endpoint. The index is built on first use: most tables name no endpoint, and there may be
// very many.
std::size_t ShareOrder::place_of_endpoint(config::ServiceIndex service, const std::string& name) const {
  const std::vector<scenario::Host>& hosts = scenario_->services[service.value].hosts;
  if (name.empty()) {
    return hosts.size();
  }
  Places& endpoints = services_[service.value].endpoints;
  if (endpoints.empty()) {
    endpoints.reserve(hosts.size());
    for (const scenario::Host& host : hosts) {
      endpoints.emplace(scenario_->endpoints[host.endpoint.value].id, endpoints.size());
    }
  }
  return place(endpoints, name);
}

ShareOrder::Key ShareOrder::key(config::ServiceIndex asked, const run::SharePlace& share) const {
  const ServicePlaces& service = services_.at(asked.value);
  return {place(service.clusters, share.cluster),
          share.cluster,
          share.priority,
          share.availability,
          place(zones_, share.zone),
          share.region,
          share.zone,
          share.sub_zone,
          place(nodes_, share.node),
          share.node,
          share.subset,
          share.via,
          place_of_endpoint(asked, share.endpoint),
          share.endpoint};
}

}  // namespace spillway::reports
