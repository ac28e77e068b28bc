#include "models/envoy/api/refused_clusters.hpp"

#include <algorithm>
#include <array>
#include <set>
#include <string>
#include <vector>

#include "models/documents/problem.hpp"
#include "models/envoy/api/api_tables.hpp"
#include "models/envoy/api/cel_expression.hpp"
#include "models/envoy/api/refused_filters.hpp"
#include "models/envoy/api/refused_listeners.hpp"

namespace spillway::api {
namespace {

constexpr const char* http_options = "envoy.extensions.upstreams.http.v3.HttpProtocolOptions";

// True if the transport of a cluster cannot negotiate a protocol.
bool is_without_alpn(const MessageView& cluster) {
  const std::string socket = cluster.message("transport_socket").message("typed_config").any_type();
  return !cluster.has("transport_socket") || socket.find("raw_buffer") != std::string::npos;
}

void check_health_checks(const MessageView& cluster, CheckedDocument& document) {
  for (const MessageView& check : cluster.items("health_checks")) {
    const MessageView http = check.message("http_health_check");
    if (http.flag("use_alpn_protocol") && is_without_alpn(cluster)) {
      document.refuse(http.place("use_alpn_protocol"), "use_alpn_protocol configured for the health check of cluster " +
                                                           cluster.text("name") +
                                                           " which has a non-ALPN transport socket");
    }
  }
}

bool resolves_names(const MessageView& cluster) {
  return cluster.is("type", "STRICT_DNS", 1) || cluster.is("type", "LOGICAL_DNS", 2);
}

void refuse_named_port(const MessageView& address, CheckedDocument& document) {
  if (const MessageView socket = address.message("socket_address"); socket.has("named_port")) {
    document.refuse(socket.place("named_port"), "IP resolver can't handle port specifier type 4");
  }
}

// Only clusters that resolve names make a resolver.
void check_resolver(const MessageView& cluster, CheckedDocument& document) {
  const MessageView resolver = cluster.message("typed_dns_resolver_config");
  const std::string type = resolver.message("typed_config").any_type();
  const bool resolves = resolves_names(cluster);
  std::vector<MessageView> servers = cluster.items("dns_resolvers");
  for (const MessageView& owner :
       {cluster.message("dns_resolution_config"), resolver.message("typed_config").any_message()}) {
    const auto more = owner.items("resolvers");
    servers.insert(servers.end(), more.begin(), more.end());
  }
  for (const MessageView& server : resolves ? servers : std::vector<MessageView>{}) {
    refuse_named_port(server, document);
  }
  if (resolves && type.starts_with("envoy.") && !find_extension("envoy.network.dns_resolver", type).taken) {
    document.refuse(resolver.node().span, "Didn't find a registered implementation for '" + resolver.text("name") +
                                              "' with type URL: '" + type + "'");
  }
}

void check_discovery(const MessageView& cluster, CheckedDocument& document) {
  const std::string kind = cluster.message("cluster_type").message("typed_config").any_type();
  const MessageView eds = cluster.message("eds_cluster_config");
  if (cluster.is("type", "EDS", 3) && !cluster.has("eds_cluster_config")) {
    document.refuse(cluster.node().span, "cannot create an EDS cluster without an EDS config");
  } else if (cluster.is("type", "EDS", 3) && !eds.has("eds_config")) {
    document.refuse(eds.node().span, "Missing config source specifier in envoy::config::core::v3::ConfigSource");
  }
  if (resolves_names(cluster)) {
    document.check_back_off(
        cluster.message("dns_failure_refresh_rate"),
        "dns_failure_refresh_rate must have max_interval greater than or equal to the base_interval");
  }
  if (cluster.is("type", "LOGICAL_DNS", 2) && !cluster.has("load_assignment")) {
    document.refuse(cluster.node().span, "LOGICAL_DNS clusters must have a single host");
  }
  const std::string name = cluster.message("cluster_type").text("name");
  if (kind.ends_with(".RedisClusterConfig") && name != "envoy.clusters.redis") {
    document.refuse(cluster.place("cluster_type"), "Redis cluster can only created with redis cluster type.");
  }
  const bool is_reverse = kind.ends_with(".ReverseConnectionClusterConfig");
  if (is_reverse && !cluster.is("lb_policy", "CLUSTER_PROVIDED", 6)) {
    document.refuse(cluster.node().span,
                    "cluster: LB policy is not valid for Cluster type envoy.clusters.reverse_connection. Only "
                    "'CLUSTER_PROVIDED' is allowed with cluster type 'REVERSE_CONNECTION'");
  } else if (is_reverse && cluster.has("load_assignment")) {
    document.refuse(cluster.place("load_assignment"), "Reverse Conn clusters must have no load assignment configured");
  }
}

void check_sub_clusters(const MessageView& config, CheckedDocument& document) {
  if (config.is("lb_policy", "CLUSTER_PROVIDED", 6)) {
    document.refuse(config.place("lb_policy"), "unsupported lb_policy 'CLUSTER_PROVIDED' in sub_cluster_config");
  }
}

// Checks the addresses of hosts of a static cluster, whose names are not resolved.
void check_addresses(const MessageView& cluster, CheckedDocument& document) {
  if (!cluster.is("type", "STATIC", 0) || cluster.has("cluster_type")) {
    return;
  }
  for (const MessageView& locality : cluster.message("load_assignment").items("endpoints")) {
    for (const MessageView& host : locality.items("lb_endpoints")) {
      const MessageView check = host.message("endpoint").message("health_check_config");
      document.check_ip(check.message("address").message("socket_address"));
      refuse_named_port(check.message("address"), document);
      refuse_named_port(host.message("endpoint").message("address"), document);
    }
  }
}

void check_dns_cluster(const MessageView& config, CheckedDocument& document) {
  document.check_back_off(config.message("dns_failure_refresh_rate"),
                          "dns_failure_refresh_rate must have max_interval greater than or equal to the base_interval");
}

void check_cluster(const MessageView& cluster, CheckedDocument& document) {
  check_health_checks(cluster, document);
  check_resolver(cluster, document);
  check_discovery(cluster, document);
  check_addresses(cluster, document);
  for (const MessageView& locality : cluster.message("load_assignment").items("endpoints")) {
    if (locality.has("leds_cluster_locality_config")) {
      document.refuse(locality.place("leds_cluster_locality_config"), "LEDS is only supported when EDS is used.");
    }
  }
  const documents::Node* const protocols = cluster.find("typed_extension_protocol_options");
  for (std::size_t i = 0; protocols != nullptr && i < protocols->members.size(); ++i) {
    const MessageView options = MessageView(protocols->members[i].value).any_message();
    const std::string type = MessageView(protocols->members[i].value).any_type();
    if (type != http_options) {
      if (protocols->members[i].key == http_options) {
        document.refuse(protocols->members[i].value.span, "Unable to unpack as HttpProtocolOptions: " + type);
      }
      continue;
    }
    refuse_header_validation(options, "header_validation_config", document);
    const MessageView common = options.message("common_http_protocol_options");
    if (cluster.has("max_requests_per_connection") && common.has("max_requests_per_connection")) {
      document.refuse(cluster.place("max_requests_per_connection"),
                      "Only one of max_requests_per_connection from Cluster or HttpProtocolOptions can be specified");
    }
    const std::string socket = cluster.message("transport_socket").message("typed_config").any_type();
    const bool quic =
        socket.find("QuicUpstreamTransport") != std::string::npos || socket.find("Http11Proxy") != std::string::npos;
    if (options.has("auto_config") && is_without_alpn(cluster) && !cluster.has("transport_socket_matches")) {
      document.refuse(options.place("auto_config"),
                      "ALPN configured for cluster " + cluster.text("name") + " which has a non-ALPN transport socket");
    }
    for (const char* const kind : {"explicit_http_config", "use_downstream_protocol_config", "auto_config"}) {
      const MessageView config = options.message(kind);
      if (config.has("http3_protocol_options") && !quic) {
        document.refuse(config.place("http3_protocol_options"),
                        "HTTP3 requires a QuicUpstreamTransport transport socket: " + cluster.text("name"));
      }
    }
  }
}

void check_load_aware_policy(const MessageView& policy, CheckedDocument& document) {
  const double probes = policy.number("remote_probe_fraction");
  const auto children = policy.message("endpoint_picking_policy").items("policies");
  const bool is_known = std::any_of(children.begin(), children.end(), [](const MessageView& child) {
    const MessageView extension = child.message("typed_extension_config");
    return find_extension("envoy.load_balancing_policies", extension.message("typed_config").any_type()).taken;
  });
  if (!is_known) {
    document.refuse(policy.node().span, "No supported endpoint picking policy.");
  } else if (probes < 0 || probes >= 1) {
    document.refuse(policy.place("remote_probe_fraction"), "remote_probe_fraction must be in [0, 1)");
  }
}

// True for an address in `dns_resolvers` of a cluster.
bool is_dns_resolver(const CheckedDocument& document) {
  const auto& around = document.around;
  return around.size() > 1 && around[around.size() - 2] == "envoy.config.cluster.v3.Cluster";
}

void check_socket_address(const MessageView& address, CheckedDocument& document) {
  if (!address.text("resolver_name").empty()) {
    document.refuse(address.place("resolver_name"), "Unknown address resolver: " + address.text("resolver_name"));
  } else if (address.has("named_port") && !is_dns_resolver(document) &&
             !document.is_within("envoy.config.endpoint.v3.ClusterLoadAssignment") &&
             !document.is_within("envoy.config.core.v3.DnsResolutionConfig") &&
             !document.is_within("envoy.extensions.network.dns_resolver.cares.v3.CaresDnsResolverConfig")) {
    document.refuse(address.place("named_port"), "IP resolver can't handle port specifier type 4");
  }
}

void check_endpoint(const MessageView& endpoint, CheckedDocument& document) {
  const MessageView address = endpoint.message("address");
  const MessageView socket = address.message("socket_address");
  if (!socket.text("network_namespace_filepath").empty()) {
    document.refuse(socket.place("network_namespace_filepath"),
                    "Invalid host configuration: hosts cannot specify network namespaces with their address");
  }
  const MessageView check = endpoint.message("health_check_config");
  if (check.number("port_value") > 0 && address.exists() && !socket.exists()) {
    document.refuse(check.place("port_value"), "Invalid host configuration: non-zero port for non-IP address");
  }
  for (const MessageView& additional : endpoint.items("additional_addresses")) {
    if (!additional.has("address")) {
      document.refuse(additional.node().span, "Address must be set");
    }
  }
}

void check_thrift_check(const MessageView& check, CheckedDocument& document) {
  if (check.is("transport", "AUTO_TRANSPORT", 0) || check.is("protocol", "AUTO_PROTOCOL", 0) ||
      check.is("protocol", "TWITTER", 4)) {
    document.refuse(check.node().span, "Unsupported transport or protocol in thrift health check configuration");
  } else if (check.is("transport", "HEADER", 3) && check.is("protocol", "LAX_BINARY", 2)) {
    document.refuse(check.node().span, "invalid header transport protocol binary/non-strict");
  }
}

void check_runtime_layer(const MessageView& layer, CheckedDocument& document) {
  if (layer.has("rtds_layer") && !layer.message("rtds_layer").has("rtds_config")) {
    document.refuse(layer.place("rtds_layer"),
                    "Missing config source specifier in envoy::config::core::v3::ConfigSource");
  }
  if (layer.has("disk_layer") && layer.message("disk_layer").text("symlink_root").empty()) {
    document.refuse(layer.place("disk_layer"), "invalid file path");
  }
}

void check_static_resources(const MessageView& resources, CheckedDocument& document) {
  check_listener_addresses(resources, document);
  std::set<std::string> names;
  for (const MessageView& cluster : resources.items("clusters")) {
    if (!names.insert(cluster.text("name")).second) {
      document.refuse(cluster.place("name"), "cluster manager: duplicate cluster '" + cluster.text("name") + "'");
    }
  }
}

void check_socket_match(const MessageView& match, CheckedDocument& document) {
  if (!match.has("transport_socket")) {
    document.problems.error("SP021", match.node().span, "missing key `{0}`", "has no `{0}`", {"transport_socket"});
  }
}

void check_permission_condition(const MessageView& policy, CheckedDocument& document) {
  const MessageView condition = policy.message("condition");
  if (const std::string fault = condition.exists() ? fault_of_expression(condition) : ""; !fault.empty()) {
    document.refuse(condition.node().span, "failed to create an expression: " + fault);
  }
}

void check_pipe(const MessageView& pipe, CheckedDocument& document) {
  const std::string path = pipe.text("path");
  if (path.find('\0') != std::string::npos && path.front() != '@') {
    document.refuse(pipe.place("path"), "UNIX domain socket pathname contains embedded null characters");
  }
}

void check_secret(const MessageView& secret, CheckedDocument& document) {
  for (const char* const kind : {"tls_certificate", "session_ticket_keys", "validation_context", "generic_secret"}) {
    if (secret.has(kind)) {
      return;
    }
  }
  document.refuse(secret.node().span, "Secret type not implemented");
}

}  // namespace

std::span<const RefusedMessage> refused_in_clusters() noexcept {
  static constexpr auto messages = std::to_array<RefusedMessage>({
      {"envoy.config.cluster.v3.Cluster", check_cluster},
      {"envoy.config.core.v3.SocketAddress", check_socket_address},
      {"envoy.config.core.v3.Pipe", check_pipe},
      {"envoy.config.endpoint.v3.Endpoint", check_endpoint},
      {"envoy.config.bootstrap.v3.RuntimeLayer", check_runtime_layer},
      {"envoy.config.bootstrap.v3.Bootstrap.StaticResources", check_static_resources},
      {"envoy.config.cluster.v3.Cluster.TransportSocketMatch", check_socket_match},
      {"envoy.config.rbac.v3.Policy", check_permission_condition},
      {"envoy.extensions.transport_sockets.tls.v3.Secret", check_secret},
      {"envoy.extensions.load_balancing_policies.load_aware_locality.v3.LoadAwareLocality", check_load_aware_policy},
      {"envoy.extensions.clusters.dns.v3.DnsCluster", check_dns_cluster},
      {"envoy.extensions.clusters.dynamic_forward_proxy.v3.SubClustersConfig", check_sub_clusters},
      {"envoy.extensions.health_checkers.thrift.v3.Thrift", check_thrift_check},
      {"envoy.extensions.upstreams.http.v3.HttpProtocolOptions", check_upstream_filters},
  });
  return messages;
}

}  // namespace spillway::api
