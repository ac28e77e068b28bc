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

ShareOrder::Name ShareOrder::kept(const std::string& text) const {
  static const std::string none;
  return Name(text.empty() ? none : *names_.insert(text).first);
}

// Returns the position of a name; names missing from the scenario come last.
ShareOrder::Placed ShareOrder::place(const Places& places, const std::string& name) const {
  const auto found = places.find(name);
  return found == places.end() ? Placed{places.size(), kept(name)} : Placed{found->second, Name(found->first)};
}

// Returns the position of an endpoint. The index is built on first use: most tables name no endpoint, and there may be
// very many.
ShareOrder::Placed ShareOrder::place_of_endpoint(config::ServiceIndex service, const std::string& name) const {
  const std::vector<scenario::Host>& hosts = scenario_->services[service.value].hosts;
  if (name.empty()) {
    return {hosts.size(), kept(name)};
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
  const auto [cluster, cluster_name] = place(services_.at(asked.value).clusters, share.cluster);
  const auto [zone, zone_name] = place(zones_, share.zone);
  const auto [node, node_name] = place(nodes_, share.node);
  const auto [endpoint, endpoint_name] = place_of_endpoint(asked, share.endpoint);
  return {cluster,  cluster_name,       share.priority,     share.availability,
          zone,     kept(share.region), zone_name,          kept(share.sub_zone),
          node,     node_name,          kept(share.subset), kept(share.via),
          endpoint, endpoint_name};
}

}  // namespace spillway::reports
