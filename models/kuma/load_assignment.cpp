#include "models/kuma/load_assignment.hpp"

#include <algorithm>
#include <map>
#include <numeric>
#include <tuple>
#include <utility>

namespace spillway::kuma {

namespace {

// A sort key. Zone and sub-zone are compared joined, as in Kuma; separately only to break ties.
using LocalityKey = std::tuple<std::string, std::uint32_t, std::string, bool>;

LocalityKey key_of(const std::optional<EndpointLocality>& locality) {
  if (!locality) {
    return {"", 0, "", false};
  }
  return {locality->zone + locality->sub_zone, locality->priority, locality->zone, true};
}

AssignedLocality make_locality(const std::optional<EndpointLocality>& locality) {
  AssignedLocality result;
  if (locality) {
    result.has_locality = true;
    result.zone = locality->zone;
    result.sub_zone = locality->sub_zone;
    result.priority = locality->priority;
    if (locality->weight > 0) {
      result.weight = locality->weight;
    }
  }
  return result;
}

// Groups the positions of a list. locality_of(position) and placement_of(position) give the rest; they are called once.
template <class LocalityOf, class PlacementOf>
LoadAssignment group_positions(std::vector<std::size_t> order, std::span<const Endpoint> endpoints,
                               const LocalityOf& locality_of, const PlacementOf& placement_of) {
  std::sort(order.begin(), order.end(), [&](std::size_t left, std::size_t right) {
    return std::tie(endpoints[left].address, endpoints[left].port, left) <
           std::tie(endpoints[right].address, endpoints[right].port, right);
  });
  std::map<LocalityKey, AssignedLocality> localities;
  for (const std::size_t position : order) {
    const std::optional<EndpointLocality>& locality = locality_of(position);
    const auto [known, is_new] = localities.try_emplace(key_of(locality));
    if (is_new) {
      known->second = make_locality(locality);
    }
    known->second.endpoints.push_back({position, placement_of(position)});
  }
  LoadAssignment assignment;
  assignment.localities.reserve(localities.size());
  for (auto& [key, locality] : localities) {
    assignment.localities.push_back(std::move(locality));
  }
  return assignment;
}

}  // namespace

LoadAssignment group(std::span<const Endpoint> endpoints) {
  std::vector<std::size_t> order(endpoints.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  return group_positions(
      std::move(order), endpoints, [&](std::size_t position) -> const auto& { return endpoints[position].locality; },
      [](std::size_t /*position*/) { return Placement{}; });
}

LoadAssignment group(std::span<const Endpoint> endpoints, std::span<const PlacedEndpoint> placed) {
  std::vector<std::size_t> order;
  std::vector<const PlacedEndpoint*> by_position(endpoints.size(), nullptr);
  order.reserve(placed.size());
  for (const PlacedEndpoint& of : placed) {
    order.push_back(of.endpoint);
    by_position[of.endpoint] = &of;
  }
  return group_positions(
      std::move(order), endpoints, [&](std::size_t position) -> const auto& { return by_position[position]->locality; },
      [&](std::size_t position) { return by_position[position]->placement; });
}

config::ClusterLoadAssignment to_envoy(const LoadAssignment& assignment, std::span<const Endpoint> endpoints,
                                       std::string cluster_name) {
  config::ClusterLoadAssignment result;
  result.cluster_name = std::move(cluster_name);
  if (assignment.overprovisioning_factor) {
    result.overprovisioning_factor = *assignment.overprovisioning_factor;
  }
  result.endpoints.reserve(assignment.localities.size());
  for (const AssignedLocality& locality : assignment.localities) {
    config::LocalityLbEndpoints group;
    group.locality = {"", locality.zone, locality.sub_zone};
    group.priority = {locality.priority};
    group.load_balancing_weight = locality.weight;
    group.lb_endpoints.reserve(locality.endpoints.size());
    for (const AssignedEndpoint& assigned : locality.endpoints) {
      const Endpoint& endpoint = endpoints[assigned.endpoint];
      config::LbEndpoint host;
      host.address = to_text(endpoint);
      host.load_balancing_weight = std::max(endpoint.weight, 1U);
      group.lb_endpoints.push_back(std::move(host));
    }
    result.endpoints.push_back(std::move(group));
  }
  return result;
}

std::vector<std::size_t> host_order(const LoadAssignment& assignment) {
  std::vector<std::size_t> order;
  for (const AssignedLocality& locality : assignment.localities) {
    for (const AssignedEndpoint& assigned : locality.endpoints) {
      order.push_back(assigned.endpoint);
    }
  }
  return order;
}

}  // namespace spillway::kuma
