#include "models/envoy/api/locality_lb_config.hpp"

#include <optional>

namespace spillway::messages {

void Grammar<config::ForceLocalZone>::describe(Fields& fields, config::ForceLocalZone& force) {
  fields.message();
  optional(fields, "min_size", force.min_size, grammar::Whole{0, largest_uint32},
           "number of healthy hosts in the local zone from which on no request leaves it; default: 1");
}

namespace {

// The bounds of `percent` depend on what holds the message.
template <class Percent>
void describe_zone_aware(Fields& fields, config::ZoneAwareLbConfig& config, Percent percent) {
  fields.message();
  optional(fields, "routing_enabled", config.routing_enabled, percent,
           "the part of the requests that is routed by zone; default: 100");
  optional(fields, "min_cluster_size", config.min_cluster_size, Uint64{},
           "fewer healthy hosts than this are not routed by zone; default: 6");
  optional(fields, "fail_traffic_on_panic", config.fail_traffic_on_panic, grammar::Flag{},
           "requests to a priority in panic fail; default: false");
}

}  // namespace

void Grammar<config::ZoneAwareLbConfig>::describe(Fields& fields, config::ZoneAwareLbConfig& config) {
  describe_zone_aware(fields, config, Message<config::Percent>{});
}

namespace {

// The form in a typed policy, which has more fields.
struct TypedZoneAware : config::ZoneAwareLbConfig {};

}  // namespace

template <>
struct Grammar<TypedZoneAware> {
  static constexpr const char* definition =
      "envoy.extensions.load_balancing_policies.common.v3.LocalityLbConfig.ZoneAwareLbConfig";
  static void describe(Fields& fields, TypedZoneAware& config) {
    std::optional<bool> direct;
    // Envoy does not check messages of typed policies.
    describe_zone_aware(fields, config, UncheckedPercent{});
    optional(fields, "force_locality_direct_routing", direct, grammar::Flag{},
             "deprecated: force_local_zone with a min_size of 1");
    optional(fields, "force_local_zone", config.force_local_zone, Message<config::ForceLocalZone>{},
             "keep requests in the local zone where it has enough hosts");
    optional(fields, "locality_basis", config.locality_basis,
             grammar::Choice{.words = {"HEALTHY_HOSTS_NUM", "HEALTHY_HOSTS_WEIGHT"},
                             .unnamed = "Envoy ends when it routes by zone"},
             "what zones are compared by; default: HEALTHY_HOSTS_NUM");
    if (direct.value_or(false) && !config.force_local_zone) {
      config.force_local_zone = config::ForceLocalZone{};
    }
  }
};

void Grammar<config::LocalityConfigSpecifier>::describe(Fields& fields, config::LocalityConfigSpecifier& specifier) {
  fields.message();
  alternative<config::ZoneAwareLbConfig>(fields, "zone_aware_lb_config", specifier, Message<TypedZoneAware>{},
                                         "zone-aware routing, where there is a local cluster");
  alternative<config::LocalityWeightedLbConfig>(fields, "locality_weighted_lb_config", specifier,
                                                Message<config::LocalityWeightedLbConfig>{},
                                                "localities by their load_balancing_weight");
  fields.at_most_one({"zone_aware_lb_config", "locality_weighted_lb_config"});
}

}  // namespace spillway::messages
