#include "models/envoy/api/load_assignment.hpp"

#include <algorithm>

#include "models/envoy/api/fractional_percent.hpp"

namespace spillway::messages {

using grammar::Nanoseconds;
using grammar::ProtoDuration;
using grammar::Record;
using grammar::Text;
using grammar::Whole;

void Grammar<config::Locality>::describe(Fields& fields, config::Locality& locality) {
  fields.message();
  always(fields, "region", locality.region, any_length, "region");
  always(fields, "zone", locality.zone, any_length, "zone");
  always(fields, "sub_zone", locality.sub_zone, any_length, "sub_zone");
}

void Grammar<HealthCheckConfig>::describe(Fields& fields, HealthCheckConfig& config) {
  fields.message();
  optional_unless(false, fields, "disable_active_health_check", config.disable_active_health_check, grammar::Flag{},
                  "the proxies do not check it; default: false");
  // Ignored: an endpoint responds to health checks at any address.
  fields.without_influence({"port_value", "hostname", "address"});
}

void Grammar<config::DropOverload>::describe(Fields& fields, config::DropOverload& drop) {
  const auto* const found = std::find(denominators.begin(), denominators.end(), drop.denominator);
  FractionalPercent part{drop.numerator, static_cast<std::size_t>(found - denominators.begin())};
  fields.message();
  required(fields, "category", drop.category, not_empty, "name of the reason");
  optional(fields, "drop_percentage", part, Message<FractionalPercent>{},
           "part of the requests that is dropped; default: none");
  drop.numerator = part.numerator;
  drop.denominator = denominators[part.denominator];
}

void Grammar<LoadAssignmentPolicy>::describe(Fields& fields, LoadAssignmentPolicy& policy) {
  fields.message();
  fields.formerly("disable_overprovisioning", "overprovisioning_factor");
  optional(fields, "overprovisioning_factor", policy.overprovisioning_factor,
           Whole{1, largest_uint32, envoys_factor_bound}, "percent; default: 140");
  optional(fields, "weighted_priority_health", policy.weighted_priority_health, grammar::Flag{},
           "the health of a priority counts hosts by their weight; default: false");
  optional(fields, "endpoint_stale_after", policy.endpoint_stale_after,
           ProtoDuration{Nanoseconds{0}, "Envoy refuses others: EndpointStaleAfter: value must be greater than 0s",
                         "0+(\\.0+)?s"},
           "time without a new load assignment after which the cluster has no endpoints; default: never");
  optional(fields, "drop_overloads", policy.drop_overloads, Items<Message<config::DropOverload>>{},
           "requests that are answered 503 before a host is picked; Envoy takes one category");
}

LoadAssignmentPolicy policy_of(const config::ClusterLoadAssignment& assignment) {
  LoadAssignmentPolicy policy{assignment.overprovisioning_factor, assignment.weighted_priority_health};
  if (assignment.drop_overload.numerator > 0) {
    policy.drop_overloads = {assignment.drop_overload};
  }
  return policy;
}

void describe_locality(Fields& fields, config::LocalityLbEndpoints& endpoints) {
  always(fields, "locality", endpoints.locality, Message<config::Locality>{},
         "the locality of endpoints of the service; parts that are left out match any");
  optional(fields, "priority", endpoints.priority.value, Whole{0, 128, envoys_priority_bound, false},
           "at this priority; default: 0");
  optional(fields, "load_balancing_weight", endpoints.load_balancing_weight,
           Whole{1, largest_uint32, envoys_weight_bound}, "weight of the locality");
  fields.without_influence({"proximity", "metadata"});
}

void Grammar<LocalityWeight>::describe(Fields& fields, LocalityWeight& endpoints) {
  fields.message();
  describe_locality(fields, endpoints);
  fields.require("load_balancing_weight");
  fields.not_simulated("lb_endpoints", "in a scenario the endpoints of a cluster are in `services`");
  fields.not_simulated("load_balancer_endpoints", "in a scenario the endpoints of a cluster are in `services`");
  fields.not_simulated("leds_cluster_locality_config", "in a scenario the endpoints of a cluster are in `services`");
}

void describe(Fields& fields, LoadAssignment& assignment) {
  fields.message();
  fields.required("cluster_name", assignment.cluster_name, not_empty, "the service that it belongs to");
  fields.optional("policy", assignment.policy, Record<Described<LoadAssignmentPolicy>>{}, "how health turns into load");
  fields.optional("endpoints", assignment.endpoints, grammar::ListOf<Record<Described<LocalityWeight>>>{},
                  "the weights of localities; the endpoints themselves are in `services`");
  fields.not_simulated("named_endpoints", "in a scenario the endpoints of a cluster are in `services`");
}

}  // namespace spillway::messages
