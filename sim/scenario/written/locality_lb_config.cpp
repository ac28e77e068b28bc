#include "sim/scenario/written/locality_lb_config.hpp"

#include <iterator>

namespace spillway::scenario::written {

using grammar::Record;

void describe(Fields& fields, ForceLocalZone& force) {
  fields.message();
  fields.optional("min_size", force.min_size, grammar::Whole{0, largest_uint32},
                  "from so many healthy hosts in the local zone on nothing leaves it; default: 1");
}

void describe(Fields& fields, ZoneAwareLbConfig& config) {
  fields.message();
  fields.optional("routing_enabled", config.routing_enabled, Record<PercentMessage>{},
                  "the part of the requests that is routed by zone; default: 100");
  fields.optional("min_cluster_size", config.min_cluster_size, Uint64{},
                  "fewer healthy hosts than this are not routed by zone; default: 6");
  fields.optional("fail_traffic_on_panic", config.fail_traffic_on_panic, grammar::Flag{},
                  "requests to a priority in panic fail; default: false");
}

void describe(Fields& fields, TypedZoneAwareLbConfig& config) {
  describe(fields, static_cast<ZoneAwareLbConfig&>(config));
  fields.optional("force_locality_direct_routing", config.force_locality_direct_routing, grammar::Flag{},
                  "deprecated: force_local_zone with a min_size of 1");
  fields.optional("force_local_zone", config.force_local_zone, Record<ForceLocalZone>{},
                  "keep requests in the local zone where it has enough hosts");
  fields.optional(
      "locality_basis", config.locality_basis,
      grammar::Choice{{std::begin(TypedZoneAwareLbConfig::bases), std::end(TypedZoneAwareLbConfig::bases)}, {}},
      "what zones are compared by; default: HEALTHY_HOSTS_NUM");
}

void describe(Fields& fields, LocalityLbConfig& config) {
  fields.message();
  fields.optional("zone_aware_lb_config", config.zone_aware_lb_config, Record<TypedZoneAwareLbConfig>{},
                  "zone-aware routing, where there is a local cluster");
  fields.optional("locality_weighted_lb_config", config.locality_weighted_lb_config, Record<LocalityWeightedLbConfig>{},
                  "localities by their load_balancing_weight");
  fields.at_most_one({"zone_aware_lb_config", "locality_weighted_lb_config"});
}

}  // namespace spillway::scenario::written
