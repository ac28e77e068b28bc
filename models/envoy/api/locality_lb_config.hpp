// Settings that choose a request's locality, zone-aware routing or locality weights, in both places where Envoy has
// them.
#pragma once

#include "models/config/common_lb_config.hpp"
#include "models/envoy/api/common_messages.hpp"

namespace spillway::messages {

template <>
struct Grammar<config::ForceLocalZone> {
  static constexpr const char* definition =
      "envoy.extensions.load_balancing_policies.common.v3.LocalityLbConfig.ZoneAwareLbConfig.ForceLocalZone";
  static void describe(Fields& fields, config::ForceLocalZone& force);
};

template <>
struct Grammar<config::ZoneAwareLbConfig> {
  static constexpr const char* definition = "envoy.config.cluster.v3.Cluster.CommonLbConfig.ZoneAwareLbConfig";
  static void describe(Fields& fields, config::ZoneAwareLbConfig& config);
};

// An empty message.
template <>
struct Grammar<config::LocalityWeightedLbConfig> {
  static constexpr const char* definition = "envoy.config.cluster.v3.Cluster.CommonLbConfig.LocalityWeightedLbConfig";
  static void describe(Fields& fields, config::LocalityWeightedLbConfig& /*config*/) { fields.message(); }
};

// The form in typed policies.
template <>
struct Grammar<config::LocalityConfigSpecifier> {
  static constexpr const char* definition = "envoy.extensions.load_balancing_policies.common.v3.LocalityLbConfig";
  static void describe(Fields& fields, config::LocalityConfigSpecifier& specifier);
};

}  // namespace spillway::messages
