// Endpoints of a cluster that are alike, as an import counts them.
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

// Endpoints of one locality and priority that nothing but their health tells apart.
struct Group {
  config::Locality locality;
  std::uint32_t priority = 0;
  config::LbEndpoint like;
  std::vector<std::string> addresses;  // the healthy ones first, then the degraded, the unhealthy, the draining
  std::size_t healthy = 0;
  std::size_t degraded = 0;
  std::vector<std::size_t> draining = {};  // positions
};

enum class Rank { healthy, degraded, unhealthy, draining };

[[nodiscard]] Rank rank_of(config::HealthStatus status);

// Where hosts differ by more than that: their address decides what they get.
[[nodiscard]] bool has_named_hosts(const scenario::Service& service);

// In the order of the assignment. Quadratic in the groups of a locality.
[[nodiscard]] std::vector<Group> groups_of(const scenario::Service& service);

}  // namespace spillway::reports::importing
