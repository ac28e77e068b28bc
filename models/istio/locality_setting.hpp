// The effective locality setting of a cluster, and its results for localities: matching, raw priorities.
//
//   EffectiveSetting setting = effective_setting(policy ? &*policy : nullptr, service, mesh, switches);
//   std::holds_alternative<LocalityLbSetting>(setting.value);
//
// Source: docs/behaviour/istio.md 6.1, 6.3, 6.6, 7, 8; istiod's pilot/pkg/networking/core/loadbalancer/loadbalancer.go
// (GetEffectiveLbSetting), pilot/pkg/networking/util/util.go (LocalityMatch, LbPriority).
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>
#include <variant>
#include <vector>

#include "models/config/locality.hpp"
#include "models/istio/destination_rule.hpp"
#include "models/istio/registry.hpp"
#include "models/istio/resources.hpp"

namespace spillway::istio {

// The origin of a setting.
enum class SettingSource : std::uint8_t { rule, traffic_distribution, mesh };

struct EffectiveSetting {
  // monostate if locality balancing is off.
  std::variant<std::monostate, LocalityLbSetting, ZoneAwareLbSetting> value = {};
  SettingSource source = SettingSource::mesh;
  bool forced = false;  // acts without outlier detection
  // Endpoints of other networks get priorities by the remaining labels; if false, all have the last priority (before
  // 1.31).
  bool network_preferred = true;
};

[[nodiscard]] EffectiveSetting effective_setting(const TrafficPolicy* policy, const Service& service,
                                                 const MeshConfig& mesh, const Switches& switches);

// True if a locality matches a pattern of `distribute`: `r1`, `r1/*`, `r1/z1/*`, `*`.
[[nodiscard]] bool locality_matches(const config::Locality& locality, std::string_view pattern);

// The distance, 0 to 4, of an endpoint's locality from the proxy's. `entry` is the position of the failover entry that
// decided; nullopt if none did.
struct LocalityDistance {
  std::uint32_t priority = 0;
  std::optional<std::size_t> entry = {};
};
[[nodiscard]] LocalityDistance distance(const config::Locality& proxy, const config::Locality& endpoint,
                                        const std::vector<LocalityLbSetting::Failover>& failover);

// Returns a distance of 0 to 2 that depends only on the region.
[[nodiscard]] LocalityDistance region_distance(const config::Locality& proxy, const config::Locality& endpoint,
                                               const std::vector<LocalityLbSetting::Failover>& failover);

}  // namespace spillway::istio
