#include "models/envoy/api/endpoints.hpp"

#include <utility>

#include "models/envoy/api/address.hpp"
#include "models/envoy/api/message_shapes.hpp"
#include "models/envoy/api/metadata.hpp"

namespace spillway::messages {

using grammar::Text;
using grammar::Whole;

namespace {

struct NetworkEndpoint {
  std::string address = {};
  std::string hostname = {};
  HealthCheckConfig health_check_config = {};
};

}  // namespace

template <>
struct Grammar<NetworkEndpoint> {
  static constexpr const char* definition = "envoy.config.endpoint.v3.Endpoint";
  static void describe(Fields& fields, NetworkEndpoint& endpoint) {
    fields.message();
    required(fields, "address", endpoint.address, AddressText{}, "where it is");
    optional(fields, "hostname", endpoint.hostname, any_length, "its name");
    optional(fields, "health_check_config", endpoint.health_check_config, Message<HealthCheckConfig>{},
             "how it is checked");
    fields.without_influence({"additional_addresses", "observability_name"});
  }
};

void Grammar<config::LbEndpoint>::describe(Fields& fields, config::LbEndpoint& endpoint) {
  NetworkEndpoint network{endpoint.address, endpoint.hostname, {endpoint.disable_active_health_check}};
  fields.message();
  optional(fields, "endpoint", network, Message<NetworkEndpoint>{}, "the host");
  fields.idle("endpoint_name", any_length);
  fields.exactly_one({"endpoint", "endpoint_name"});
  optional(fields, "health_status", endpoint.health_status, grammar::Choice{.words = health_statuses, .otherwise = 0},
           "as reported to the proxies");
  optional(fields, "load_balancing_weight", endpoint.load_balancing_weight,
           Whole{1, largest_uint32, envoys_weight_bound}, "default: 1");
  optional(fields, "metadata", endpoint.metadata, LbMetadata{}, "metadata that subsets select hosts by");
  endpoint.address = std::move(network.address);
  endpoint.hostname = std::move(network.hostname);
  endpoint.disable_active_health_check = network.health_check_config.disable_active_health_check;
}

void Grammar<config::LocalityLbEndpoints>::describe(Fields& fields, config::LocalityLbEndpoints& endpoints) {
  fields.message();
  describe_locality(fields, endpoints);
  always(fields, "lb_endpoints", endpoints.lb_endpoints, Items<Message<config::LbEndpoint>>{}, "the hosts");
  fields.without_influence({"load_balancer_endpoints"});
  fields.not_simulated("leds_cluster_locality_config",
                       "endpoints that are discovered by LEDS are not in the documents");
}

void Grammar<WholeLoadAssignment>::describe(Fields& fields, WholeLoadAssignment& assignment) {
  fields.message();
  required(fields, "cluster_name", assignment.cluster_name, not_empty, "the cluster that they belong to");
  optional(fields, "policy", assignment.policy, Located<LoadAssignmentPolicy>{}, "how health turns into load");
  always(fields, "endpoints", assignment.endpoints, Items<Message<config::LocalityLbEndpoints>>{},
         "by locality and priority");
  fields.without_influence({"named_endpoints"});
}

void describe(Fields& fields, WholeCluster& cluster) {
  describe_cluster(fields, cluster);
  fields.optional("load_assignment", cluster.load_assignment, grammar::Record<Described<WholeLoadAssignment>>{},
                  "its endpoints");
}

}  // namespace spillway::messages
