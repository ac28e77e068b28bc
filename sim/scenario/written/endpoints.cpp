#include "sim/scenario/written/endpoints.hpp"

namespace spillway::scenario::written {

using grammar::ListOf;
using grammar::Record;
using grammar::Text;
using grammar::Whole;

void describe(Fields& fields, SocketAddress& address) {
  fields.message();
  fields.required("address", address.address, Text{1, 1'000}, "address or name");
  fields.optional("port_value", address.port_value, Whole{0, 65'535, "Envoy refuses a port above 65535", false},
                  "port");
  fields.optional("named_port", address.named_port, Text{}, "port by name");
  fields.exactly_one({"port_value", "named_port"});
  fields.optional("resolver_name", address.resolver_name, Text{0, 1'000}, "what looks the address up");
  fields.without_influence({"protocol", "ipv4_compat", "network_namespace_filepath"});
}

void describe(Fields& fields, Pipe& pipe) {
  fields.message();
  fields.required("path", pipe.path, Text{1, 1'000}, "path");
  fields.idle("mode", Whole{0, 511, "Envoy refuses others: Mode: value must be less than or equal to 511", false});
}

void describe(Fields& fields, EnvoyInternalAddress& address) {
  fields.message();
  fields.required("server_listener_name", address.server_listener_name, Text{1, 1'000}, "listener");
  fields.optional("endpoint_id", address.endpoint_id, Text{0, 1'000}, "endpoint");
}

void describe(Fields& fields, Address& address) {
  fields.message();
  fields.optional("socket_address", address.socket_address, Record<SocketAddress>{}, "address and port");
  fields.optional("pipe", address.pipe, Record<Pipe>{}, "a pipe");
  fields.optional("envoy_internal_address", address.envoy_internal_address, Record<EnvoyInternalAddress>{},
                  "an internal listener");
  fields.exactly_one({"socket_address", "pipe", "envoy_internal_address"});
}

std::string address_text(const Address& address) {
  if (address.pipe) {
    return address.pipe->path.value_or("");
  }
  if (address.envoy_internal_address) {
    return "envoy://" + address.envoy_internal_address->server_listener_name.value_or("") + "/" +
           address.envoy_internal_address->endpoint_id.value_or("");
  }
  const SocketAddress& socket = *address.socket_address;
  const std::string host = socket.address.value_or("");
  const std::string port = socket.named_port ? *socket.named_port : std::to_string(socket.port_value.value_or(0));
  return (host.find(':') == std::string::npos ? host : "[" + host + "]") + ":" + port;
}

void describe(Fields& fields, NetworkEndpoint& endpoint) {
  fields.message();
  fields.required("address", endpoint.address, Record<Address>{}, "where it is");
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
                  "as the proxies are told");
  fields.optional("load_balancing_weight", endpoint.load_balancing_weight,
                  Whole{1, largest_uint32, envoys_weight_bound}, "default: 1");
  fields.optional("metadata", endpoint.metadata, Record<Metadata>{}, "what subsets tell hosts apart by");
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
  fields.required("cluster_name", assignment.cluster_name, Text{1, 1'000}, "whose endpoints they are");
  fields.optional("endpoints", assignment.endpoints, ListOf<Record<LocalityLbEndpoints>>{}, "by locality and priority");
  fields.optional("policy", assignment.policy, Record<LoadAssignmentPolicy>{}, "how health turns into load");
  fields.optional("named_endpoints", assignment.named_endpoints, Unread{}, "hosts that Envoy does not look at");
}

void describe(Fields& fields, WholeCluster& cluster) {
  describe_cluster(fields, cluster);
  fields.optional("load_assignment", cluster.load_assignment, Record<WholeLoadAssignment>{}, "its endpoints");
}

}  // namespace spillway::scenario::written
