// Which locality setting is in force for a cluster, and what follows from it for localities: matching, raw priorities.
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

// Who said it.
enum class SettingSource : std::uint8_t { rule, traffic_distribution, mesh };

struct EffectiveSetting {
  // monostate: locality balancing is off.
  std::variant<std::monostate, LocalityLbSetting, ZoneAwareLbSetting> value = {};
  SettingSource source = SettingSource::mesh;
  bool forced = false;  // acts without outlier detection
  // Endpoints of other networks have priorities by further labels; else they all have the last one (before 1.31).
  bool network_preferred = true;
};

[[nodiscard]] EffectiveSetting effective_setting(const TrafficPolicy* policy, const Service& service,
                                                 const MeshConfig& mesh, const Switches& switches);

// Whether a locality is one that a pattern of `distribute` stands for: `r1`, `r1/*`, `r1/z1/*`, `*`.
[[nodiscard]] bool locality_matches(const config::Locality& locality, std::string_view pattern);

// 0 to 4: how far an endpoint's locality is from the proxy's. `entry`: the position of the failover entry that decided,
// where one did.
struct LocalityDistance {
  std::uint32_t priority = 0;
  std::optional<std::size_t> entry = {};
};
[[nodiscard]] LocalityDistance distance(const config::Locality& proxy, const config::Locality& endpoint,
                                        const std::vector<LocalityLbSetting::Failover>& failover);

// 0 to 2: by region alone.
[[nodiscard]] LocalityDistance region_distance(const config::Locality& proxy, const config::Locality& endpoint,
                                               const std::vector<LocalityLbSetting::Failover>& failover);

}  // namespace spillway::istio
