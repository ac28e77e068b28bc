// A small world of the oracle as the models and the simulation take it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "models/config/cluster_load_assignment.hpp"
#include "models/envoy/cluster.hpp"
#include "tests/support/oracle/small_world.hpp"

namespace spillway::oracle {

inline std::string zone_name(std::size_t locality) {
  return std::string(1, static_cast<char>('a' + locality));
}

// Writes over what `into` was, so that many worlds one after the other need little memory anew. Hosts have no names.
inline void assign(const std::vector<std::vector<Locality>>& priorities, std::int64_t overprovisioning_factor,
                   config::ClusterLoadAssignment& into) {
  into.overprovisioning_factor = static_cast<std::uint32_t>(overprovisioning_factor);
  std::size_t groups = 0;
  for (std::uint32_t priority = 0; priority < priorities.size(); ++priority) {
    for (std::size_t index = 0; index < priorities[priority].size(); ++index) {
      const Locality& locality = priorities[priority][index];
      if (groups == into.endpoints.size()) {
        into.endpoints.emplace_back();
      }
      config::LocalityLbEndpoints& group = into.endpoints[groups++];
      group.locality.region = "region";
      group.locality.zone = zone_name(index);
      group.priority = {priority};
      group.load_balancing_weight = std::nullopt;
      if (locality.weight > 0) {
        group.load_balancing_weight = static_cast<std::uint32_t>(locality.weight);
      }
      group.lb_endpoints.resize(static_cast<std::size_t>(locality.hosts()));
      std::int64_t position = 0;
      for (config::LbEndpoint& host : group.lb_endpoints) {
        host.health_status = position < locality.healthy                       ? config::HealthStatus::healthy
                             : position < locality.healthy + locality.degraded ? config::HealthStatus::degraded
                                                                               : config::HealthStatus::unhealthy;
        ++position;
      }
    }
  }
  into.endpoints.resize(groups);
}

inline config::ClusterLoadAssignment assignment_of(const std::vector<std::vector<Locality>>& priorities,
                                                   std::int64_t overprovisioning_factor = 140) {
  config::ClusterLoadAssignment assignment;
  assign(priorities, overprovisioning_factor, assignment);
  return assignment;
}

inline envoy::Cluster cluster_of(const SmallWorld& world) {
  envoy::Cluster cluster;
  if (world.policy == HostPolicy::random) {
    cluster.lb_policy = envoy::policies::random::Config{};
  } else if (world.policy == HostPolicy::least_request) {
    cluster.lb_policy = envoy::policies::least_request::Config{};
  }
  config::CommonLbConfig& common = cluster.common_lb_config;
  common.healthy_panic_threshold = config::Percent{static_cast<double>(world.healthy_panic_threshold)};
  if (world.spread == Spread::locality_weighted) {
    common.locality_config_specifier = config::LocalityWeightedLbConfig{};
  } else {
    common.locality_config_specifier =
        config::ZoneAwareLbConfig{.min_cluster_size = static_cast<std::uint64_t>(world.min_cluster_size),
                                  .fail_traffic_on_panic = world.fail_traffic_on_panic};
  }
  return cluster;
}

}  // namespace spillway::oracle
