// The endpoints of one cluster (envoy.config.endpoint.v3.ClusterLoadAssignment), plain and checked.
//
// Field names are Envoy's. Bounds that the reader has already enforced: priority <= 128, weights >= 1,
// overprovisioning_factor >= 1.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "models/config/locality.hpp"
#include "models/config/metadata.hpp"
#include "models/config/strong.hpp"

namespace spillway::config {

// envoy.config.core.v3.HealthStatus.
enum class HealthStatus : std::uint8_t { unknown, healthy, unhealthy, draining, timeout, degraded };

struct LbEndpoint {
  std::string address = {};  // "ip:port" of an Envoy document, or the scenario's endpoint id
  std::string hostname = {};
  HealthStatus health_status = HealthStatus::unknown;
  std::uint32_t load_balancing_weight = 1;
  Struct metadata = {};  // of the filter "envoy.lb": what subsets select by, and hash_key
  bool disable_active_health_check = false;

  friend bool operator==(const LbEndpoint&, const LbEndpoint&) = default;
};

struct LocalityLbEndpoints {
  Locality locality;
  Priority priority;
  std::optional<std::uint32_t> load_balancing_weight;
  std::vector<LbEndpoint> lb_endpoints;
};

struct ClusterLoadAssignment {
  std::string cluster_name;
  std::vector<LocalityLbEndpoints> endpoints;
  std::uint32_t overprovisioning_factor = 140;  // percent
  bool weighted_priority_health = false;
};

}  // namespace spillway::config
