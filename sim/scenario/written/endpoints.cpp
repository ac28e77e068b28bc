#include "sim/scenario/written/endpoints.hpp"

namespace spillway::scenario::written {

using grammar::ListOf;
using grammar::Record;
using grammar::Text;
using grammar::Whole;

void describe(Fields& fields, NetworkEndpoint& endpoint) {
  fields.message();
  fields.required("address", endpoint.address, Record<Address>{}, "its address");
  fields.optional("hostname", endpoint.hostname, Text{0, 1'000}, "its name");
  fields.optional("health_check_config", endpoint.health_check_config, Record<HealthCheckConfig>{},
                  "how it is checked");
  fields.without_influence({"additional_addresses"});
}

void describe(Fields& fields, LbEndpoint& endpoint) {
  fields.message();
  fields.optional("endpoint", endpoint.endpoint, Record<NetworkEndpoint>{}, "the host");
  fields.optional("endpoint_name", endpoint.endpoint_name, Text{0, 1'000}, "its name, which Envoy does not look up");
  fields.exactly_one({"endpoint", "endpoint_name"});
  fields.optional("health_status", endpoint.health_status, grammar::Choice{health_statuses, {}},
                  "as reported to the proxies");
  fields.optional("load_balancing_weight", endpoint.load_balancing_weight,
                  Whole{1, largest_uint32, envoys_weight_bound}, "default: 1");
  fields.optional("metadata", endpoint.metadata, Record<Metadata>{}, "metadata that subsets select hosts by");
}

void describe(Fields& fields, LbEndpointList& list) {
  fields.message();
  fields.optional("lb_endpoints", list.lb_endpoints, ListOf<Record<LbEndpoint>>{}, "the hosts");
}

void describe(Fields& fields, LocalityLbEndpoints& endpoints) {
  fields.message();
  fields.optional("locality", endpoints.locality, Record<Locality>{}, "where they are");
  fields.optional("lb_endpoints", endpoints.lb_endpoints, ListOf<Record<LbEndpoint>>{}, "the hosts");
  fields.optional("load_balancing_weight", endpoints.load_balancing_weight,
                  Whole{1, largest_uint32, envoys_weight_bound}, "of the locality");
  fields.optional("priority", endpoints.priority, Whole{0, 128, envoys_priority_bound, false}, "default: 0");
  fields.without_influence({"metadata", "proximity"});
  fields.optional("load_balancer_endpoints", endpoints.load_balancer_endpoints, Record<LbEndpointList>{},
                  "hosts that Envoy does not look at");
  fields.not_played("leds_cluster_locality_config", "endpoints that are discovered by LEDS are not in the documents");
}

void describe(Fields& fields, WholeLoadAssignment& assignment) {
  fields.message();
  fields.required("cluster_name", assignment.cluster_name, Text{1, 1'000}, "the cluster that they belong to");
  fields.optional("endpoints", assignment.endpoints, ListOf<Record<LocalityLbEndpoints>>{}, "by locality and priority");
  fields.optional("policy", assignment.policy, Record<Described<LoadAssignmentPolicy>>{}, "how health turns into load");
  fields.optional("named_endpoints", assignment.named_endpoints, Unread{}, "hosts that Envoy does not look at");
}

void describe(Fields& fields, WholeCluster& cluster) {
  describe_cluster(fields, cluster);
  fields.optional("load_assignment", cluster.load_assignment, Record<WholeLoadAssignment>{}, "its endpoints");
}

}  // namespace spillway::scenario::written
