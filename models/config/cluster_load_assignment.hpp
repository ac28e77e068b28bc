// The endpoints of one cluster (envoy.config.endpoint.v3.ClusterLoadAssignment), plain and checked.
//
// Field names are Envoy's. The reader has already enforced these bounds: priority <= 128, weights >= 1,
// overprovisioning_factor >= 1.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "models/config/health_status.hpp"
#include "models/config/locality.hpp"
#include "models/config/metadata.hpp"
#include "models/config/strong.hpp"

namespace spillway::config {

struct LbEndpoint {
  std::string address = {};  // "ip:port" in an Envoy document, or the scenario's endpoint id
  std::string hostname = {};
  HealthStatus health_status = HealthStatus::unknown;
  std::uint32_t load_balancing_weight = 1;
  Struct metadata = {};  // of the filter "envoy.lb": subset selectors and hash_key read it
  bool disable_active_health_check = false;

  friend bool operator==(const LbEndpoint&, const LbEndpoint&) = default;
};

struct LocalityLbEndpoints {
  Locality locality;
  Priority priority;
  std::optional<std::uint32_t> load_balancing_weight;
  std::vector<LbEndpoint> lb_endpoints;
};

// ClusterLoadAssignment.Policy.DropOverload: requests answered with 503 before any pick. Envoy accepts one entry.
struct DropOverload {
  std::string category = {};
  std::uint32_t numerator = 0;
  std::uint32_t denominator = 100;  // 100, 10,000 or 1,000,000

  // Returns the fraction dropped, a float in Envoy; checked to be at most 1.
  [[nodiscard]] double ratio() const noexcept {
    return static_cast<double>(static_cast<float>(numerator) / static_cast<float>(denominator));
  }
};

struct ClusterLoadAssignment {
  std::string cluster_name;
  std::vector<LocalityLbEndpoints> endpoints;
  std::uint32_t overprovisioning_factor = 140;  // percent
  bool weighted_priority_health = false;
  DropOverload drop_overload = {};
};

}  // namespace spillway::config
