#include "models/istio/networks.hpp"

#include <algorithm>
#include <map>
#include <numeric>
#include <utility>

#include "models/istio/load_assignment.hpp"

namespace spillway::istio {

namespace {

std::uint32_t scaled(std::uint32_t weight, std::uint32_t scale) {
  return weight < UINT32_MAX / scale ? weight * scale : UINT32_MAX;
}

AssignedEndpoint direct(const Endpoint& endpoint, std::uint32_t weight) {
  const bool draining = !value_of(endpoint.labels, draining_label).empty();
  return {.address = endpoint.address,
          .port = endpoint.port,
          .weight = weight,
          .health = draining ? EndpointHealth::draining : endpoint.health,
          .labels = endpoint.labels,
          .source = endpoint.source};
}

bool in_network(const Proxy& proxy, const std::string& network) {
  return proxy.network.empty() || network.empty() || proxy.network == network;
}

}  // namespace

NetworkGateways::NetworkGateways(const std::vector<Network>& networks) : networks_(&networks) {
  for (const Network& network : networks) {
    std::map<std::string, std::uint32_t> by_cluster;
    for (const Network::Gateway& gateway : network.gateways) {
      ++by_cluster[gateway.cluster];
    }
    if (network.gateways.empty()) {
      continue;
    }
    scale_ = std::lcm(std::max(scale_, 1U), static_cast<std::uint32_t>(network.gateways.size()));
    for (const auto& [cluster, count] : by_cluster) {
      scale_ = std::lcm(scale_, count);
    }
  }
}

std::vector<const Network::Gateway*> NetworkGateways::to(const std::string& network, const std::string& cluster) const {
  std::vector<const Network::Gateway*> of_cluster;
  std::vector<const Network::Gateway*> of_network;
  for (const Network& candidate : *networks_) {
    for (const Network::Gateway& gateway : candidate.gateways) {
      if (candidate.name == network) {
        of_network.push_back(&gateway);
        if (gateway.cluster == cluster) {
          of_cluster.push_back(&gateway);
        }
      }
    }
  }
  return of_cluster.empty() ? of_network : of_cluster;
}

std::vector<AssignedEndpoint> through_gateways(const std::vector<const Endpoint*>& endpoints, const Proxy& proxy,
                                               const NetworkGateways& gateways) {
  std::vector<AssignedEndpoint> reached;
  std::map<std::pair<std::string, std::uint32_t>, AssignedEndpoint> behind;
  for (const Endpoint* const endpoint : endpoints) {
    if (!gateways.any()) {
      reached.push_back(direct(*endpoint, endpoint->weight));
      continue;
    }
    const std::uint32_t weight = scaled(endpoint->weight, gateways.scale());
    const auto ways = gateways.to(endpoint->network, endpoint->cluster);
    const bool unknown_network = proxy.network.empty() && !endpoint->network.empty();
    if (ways.empty() || (in_network(proxy, endpoint->network) && !unknown_network)) {
      reached.push_back(direct(*endpoint, weight));
      continue;
    }
    for (const Network::Gateway* const gateway : endpoint->mutual_tls ? ways : decltype(ways){}) {
      AssignedEndpoint& through = behind[{gateway->address, gateway->port}];
      if (through.address.empty()) {
        through = {.address = gateway->address,
                   .port = gateway->port,
                   .weight = 0,
                   .labels = augmented({}, gateway->cluster, "", "", endpoint->network),
                   .source = "gateway of network " + endpoint->network};
      }
      through.weight += weight / static_cast<std::uint32_t>(ways.size());
    }
  }
  for (auto& [address, gateway] : behind) {
    gateway.weight = std::max(gateway.weight, 1U);
    reached.push_back(std::move(gateway));
  }
  return reached;
}

}  // namespace spillway::istio
