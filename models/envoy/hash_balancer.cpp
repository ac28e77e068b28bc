#include "models/envoy/hash_balancer.hpp"

#include <numeric>

namespace spillway::envoy {

namespace {

std::uint64_t sum(std::span<const std::uint32_t> weights) {
  return std::accumulate(weights.begin(), weights.end(), std::uint64_t{0});
}

std::vector<std::uint32_t> weights_of(std::span<const config::HostIndex> list, std::span<const Host> hosts) {
  std::vector<std::uint32_t> weights;
  weights.reserve(list.size());
  for (const config::HostIndex host : list) {
    weights.push_back(hosts[host.value].weight);
  }
  return weights;
}

}  // namespace

std::vector<double> normalized_weights(std::span<const std::uint32_t> host_weights) {
  const auto total = static_cast<double>(sum(host_weights));
  std::vector<double> result;
  result.reserve(host_weights.size());
  for (const std::uint32_t weight : host_weights) {
    result.push_back(weight * 1.0 / total);
  }
  return result;
}

std::vector<double> normalized_weights(std::span<const LocalityHostWeights> localities) {
  std::uint64_t all = 0;
  for (const LocalityHostWeights& locality : localities) {
    all += locality.weight;
  }
  std::vector<double> result;
  for (const LocalityHostWeights& locality : localities) {
    if (locality.weight == 0) {
      continue;
    }
    const double share = static_cast<double>(locality.weight) / static_cast<double>(all);
    const auto total = static_cast<double>(sum(locality.host_weights));
    for (const std::uint32_t weight : locality.host_weights) {
      result.push_back(weight * share / total);
    }
  }
  return result;
}

std::vector<NormalizedHost> normalized_hosts(const HostSet& set, std::span<const Host> hosts, bool in_panic,
                                             bool locality_weighted) {
  const HostList& list = hash_hosts(set, in_panic);
  std::vector<config::HostIndex> order;
  std::vector<double> weights;
  if (locality_weighted && !set.locality_weights.empty()) {
    std::vector<LocalityHostWeights> localities;
    for (std::size_t locality = 0; locality < set.localities.size(); ++locality) {
      const auto members = list.of_locality(locality);
      localities.push_back({set.locality_weights[locality], weights_of(members, hosts)});
      if (set.locality_weights[locality] > 0) {
        order.insert(order.end(), members.begin(), members.end());
      }
    }
    weights = normalized_weights(localities);
  } else {
    order.assign(list.hosts().begin(), list.hosts().end());
    weights = normalized_weights(weights_of(list.hosts(), hosts));
  }
  std::vector<NormalizedHost> result;
  result.reserve(order.size());
  for (std::size_t position = 0; position < order.size(); ++position) {
    result.push_back({order[position], weights[position]});
  }
  return result;
}

}  // namespace spillway::envoy
