// Which locality a request goes to: zone-aware routing or locality weights, in the two places where Envoy has them.
#pragma once

#include <cstdint>

#include "sim/scenario/written/proto.hpp"

namespace spillway::scenario::written {

struct ForceLocalZone {
  static constexpr const char* definition =
      "envoy.extensions.load_balancing_policies.common.v3.LocalityLbConfig.ZoneAwareLbConfig.ForceLocalZone";
  Field<std::uint64_t> min_size;
};
void describe(Fields& fields, ForceLocalZone& force);

// envoy.config.cluster.v3.Cluster.CommonLbConfig.ZoneAwareLbConfig.
struct ZoneAwareLbConfig {
  static constexpr const char* definition = "envoy.config.cluster.v3.Cluster.CommonLbConfig.ZoneAwareLbConfig";
  Field<PercentMessage> routing_enabled;
  Field<std::uint64_t> min_cluster_size;
  Field<bool> fail_traffic_on_panic;
};
void describe(Fields& fields, ZoneAwareLbConfig& config);

// The same of a typed policy, which knows more.
struct TypedZoneAwareLbConfig : ZoneAwareLbConfig {
  static constexpr const char* definition =
      "envoy.extensions.load_balancing_policies.common.v3.LocalityLbConfig.ZoneAwareLbConfig";
  static constexpr const char* bases[] = {"HEALTHY_HOSTS_NUM", "HEALTHY_HOSTS_WEIGHT"};
  Field<bool> force_locality_direct_routing;
  Field<ForceLocalZone> force_local_zone;
  Field<std::size_t> locality_basis;
};
void describe(Fields& fields, TypedZoneAwareLbConfig& config);

// An empty message.
struct LocalityWeightedLbConfig {
  static constexpr const char* definition = "envoy.config.cluster.v3.Cluster.CommonLbConfig.LocalityWeightedLbConfig";
};
inline void describe(Fields& fields, LocalityWeightedLbConfig& /*config*/) {
  fields.message();
}

// envoy.extensions.load_balancing_policies.common.v3.LocalityLbConfig.
struct LocalityLbConfig {
  static constexpr const char* definition = "envoy.extensions.load_balancing_policies.common.v3.LocalityLbConfig";
  Field<TypedZoneAwareLbConfig> zone_aware_lb_config;
  Field<LocalityWeightedLbConfig> locality_weighted_lb_config;
};
void describe(Fields& fields, LocalityLbConfig& config);

}  // namespace spillway::scenario::written
