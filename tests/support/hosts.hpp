// Load assignments in few words.
//
//   assignment({{.priority = 0, .zone = "a", .healthy = 5, .unhealthy = 2}, {.priority = 1, .zone = "b", .healthy =
//   4}})
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "models/config/cluster_load_assignment.hpp"

namespace spillway::support {

// One LocalityLbEndpoints: first its healthy, then its degraded, then its unhealthy hosts.
struct Group {
  std::uint32_t priority = 0;
  std::string zone = {};
  std::uint32_t healthy = 0;
  std::uint32_t degraded = 0;
  std::uint32_t unhealthy = 0;
  std::optional<std::uint32_t> weight = std::nullopt;
  std::vector<std::uint32_t> host_weights = {};  // of its first hosts; the rest weigh 1
};

// Hosts are called "0", "1", ... in the order in which they are listed.
inline config::ClusterLoadAssignment assignment(const std::vector<Group>& groups,
                                                std::uint32_t overprovisioning_factor = 140) {
  config::ClusterLoadAssignment result;
  result.overprovisioning_factor = overprovisioning_factor;
  std::uint32_t host = 0;
  for (const Group& group : groups) {
    config::LocalityLbEndpoints endpoints;
    endpoints.locality = {"region", group.zone, ""};
    endpoints.priority = {group.priority};
    endpoints.load_balancing_weight = group.weight;
    for (std::uint32_t position = 0; position < group.healthy + group.degraded + group.unhealthy; ++position) {
      config::LbEndpoint endpoint;
      endpoint.address = std::to_string(host++);
      endpoint.health_status = position < group.healthy                    ? config::HealthStatus::healthy
                               : position < group.healthy + group.degraded ? config::HealthStatus::degraded
                                                                           : config::HealthStatus::unhealthy;
      endpoint.load_balancing_weight = position < group.host_weights.size() ? group.host_weights[position] : 1;
      endpoints.lb_endpoints.push_back(endpoint);
    }
    result.endpoints.push_back(endpoints);
  }
  return result;
}

inline config::Locality zone(const std::string& name) {
  return {"region", name, ""};
}

}  // namespace spillway::support
