// Balancing settings common to all pick policies (envoy.config.cluster.v3.Cluster.CommonLbConfig).
#pragma once

#include <array>
#include <chrono>
#include <cstdint>
#include <initializer_list>
#include <optional>
#include <utility>
#include <variant>
#include <vector>

#include "models/config/cluster_load_assignment.hpp"
#include "models/config/strong.hpp"

namespace spillway::config {

enum class LocalityBasis : std::uint8_t { healthy_hosts_num, healthy_hosts_weight };

struct ForceLocalZone {
  std::uint32_t min_size = 1;  // healthy hosts of the local zone from which no request leaves it
};

struct ZoneAwareLbConfig {
  Percent routing_enabled{100.0};
  std::uint64_t min_cluster_size = 6;
  bool fail_traffic_on_panic = false;
  std::optional<ForceLocalZone> force_local_zone = std::nullopt;
  LocalityBasis locality_basis = LocalityBasis::healthy_hosts_num;
};

struct LocalityWeightedLbConfig {};

// The default is zone-aware routing with its defaults, effective if a local cluster exists.
using LocalityConfigSpecifier = std::variant<ZoneAwareLbConfig, LocalityWeightedLbConfig>;

// A set of health statuses. A host named by a session or a request is used only if its status is in the set.
class OverrideHostStatus {
 public:
  constexpr OverrideHostStatus() = default;  // the empty set
  constexpr OverrideHostStatus(std::initializer_list<HealthStatus> statuses) {
    for (const HealthStatus status : statuses) {
      add(status);
    }
  }
  constexpr void add(HealthStatus status) noexcept { bits_ |= 1U << static_cast<unsigned>(status); }
  [[nodiscard]] constexpr bool has(HealthStatus status) const noexcept {
    return (bits_ >> static_cast<unsigned>(status) & 1U) != 0;
  }
  friend bool operator==(const OverrideHostStatus&, const OverrideHostStatus&) = default;

 private:
  unsigned bits_ = 0;
};
[[nodiscard]] constexpr OverrideHostStatus default_override_host_status() noexcept {
  return {HealthStatus::unknown, HealthStatus::healthy, HealthStatus::degraded};
}

struct CommonLbConfig {
  Percent healthy_panic_threshold{50.0};  // converted to an integer as Envoy does it: envoy::percent_to_integer
  LocalityConfigSpecifier locality_config_specifier;
  std::chrono::nanoseconds update_merge_window = std::chrono::seconds{1};  // 0 applies every update at once
  bool ignore_new_hosts_until_first_hc = false;
  OverrideHostStatus override_host_status = default_override_host_status();
};

// Values of Envoy's runtime that override the fields above.
struct Runtime {
  std::optional<std::uint64_t> healthy_panic_threshold = std::nullopt;        // upstream.healthy_panic_threshold
  std::optional<std::uint64_t> zone_routing_enabled = std::nullopt;           // upstream.zone_routing.enabled
  std::optional<std::uint64_t> zone_routing_min_cluster_size = std::nullopt;  // upstream.zone_routing.min_cluster_size
  std::optional<std::uint64_t> force_local_zone_min_size =
      std::nullopt;  // upstream.zone_routing.force_local_zone.min_size
};

struct RuntimeKey {
  const char* name;
  std::optional<std::uint64_t> Runtime::* value;
};
inline constexpr std::array runtime_keys = {
    RuntimeKey{"upstream.healthy_panic_threshold", &Runtime::healthy_panic_threshold},
    RuntimeKey{"upstream.zone_routing.enabled", &Runtime::zone_routing_enabled},
    RuntimeKey{"upstream.zone_routing.min_cluster_size", &Runtime::zone_routing_min_cluster_size},
    RuntimeKey{"upstream.zone_routing.force_local_zone.min_size", &Runtime::force_local_zone_min_size},
};

// Returns the key of a runtime value, e.g. "upstream.zone_routing.enabled" for &Runtime::zone_routing_enabled.
[[nodiscard]] constexpr const char* runtime_key_name(std::optional<std::uint64_t> Runtime::* value) noexcept {
  for (const RuntimeKey& key : runtime_keys) {
    if (key.value == value) {
      return key.name;
    }
  }
  return "";
}

// A change of runtime values in every proxy, as through the admin interface.
struct RuntimeChange {
  // A value of nullopt removes the key.
  std::vector<std::pair<std::optional<std::uint64_t> Runtime::*, std::optional<std::uint64_t>>> values;
};

inline void apply(const RuntimeChange& change, Runtime& runtime) {
  for (const auto& [key, value] : change.values) {
    runtime.*key = value;
  }
}

}  // namespace spillway::config
