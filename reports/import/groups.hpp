// Groups of similar endpoints of a cluster, with counts, for imports.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "models/config/cluster_load_assignment.hpp"

namespace spillway::scenario {
struct Service;  // service.hpp
}  // namespace spillway::scenario

namespace spillway::reports::importing {

// Endpoints of one locality and priority that differ only in their health.
struct Group {
  config::Locality locality;
  std::uint32_t priority = 0;
  config::LbEndpoint like;
  std::vector<std::string> addresses;  // in this order: healthy, degraded, unhealthy, draining
  std::size_t healthy = 0;
  std::size_t degraded = 0;
  std::vector<std::size_t> draining = {};  // positions
};

enum class Rank { healthy, degraded, unhealthy, draining };

[[nodiscard]] Rank rank_of(config::HealthStatus status);

// True if hosts differ in more than health: their address decides their share.
[[nodiscard]] bool has_named_hosts(const scenario::Service& service);

// Returns the groups in the order of the assignment. Quadratic in the groups of a locality.
[[nodiscard]] std::vector<Group> groups_of(const scenario::Service& service);

}  // namespace spillway::reports::importing
