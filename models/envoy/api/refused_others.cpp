#include "models/envoy/api/refused_others.hpp"

#include <algorithm>
#include <array>
#include <string>
#include <string_view>

namespace spillway::api {
namespace {

// The tags after `envoy.` for which Envoy 1.40 has a regular expression of its own. Source: --mode validate, and
// common/config/well_known_names.cc.
constexpr std::array own_tags = std::to_array<std::string_view>({
    "clientssl_prefix",
    "cluster_name",
    "connection_limit_prefix",
    "dns_filter_prefix",
    "dynamo_operation",
    "dynamo_partition_id",
    "dynamo_table",
    "ext_authz_prefix",
    "fault_downstream_cluster",
    "google_grpc_client_prefix",
    "grpc_bridge_method",
    "grpc_bridge_service",
    "http_conn_manager_prefix",
    "http_user_agent",
    "listener_address",
    "local_http_ratelimit_prefix",
    "local_listener_ratelimit_prefix",
    "local_network_ratelimit_prefix",
    "mongo_callsite",
    "mongo_cmd",
    "mongo_collection",
    "mongo_prefix",
    "proxy_protocol_prefix",
    "proxy_protocol_version",
    "ratelimit_prefix",
    "rbac_http_prefix",
    "rbac_policy_name",
    "rbac_prefix",
    "rds_route_config",
    "redis_prefix",
    "response_code",
    "response_code_class",
    "route",
    "scoped_rds_config",
    "ssl_cipher",
    "tcp_prefix",
    "thrift_prefix",
    "tls_certificate",
    "udp_prefix",
    "virtual_cluster",
    "virtual_host",
    "worker_id",
    "xds_resource_name",
});

bool has_own_expression(std::string_view tag) {
  constexpr std::string_view start = "envoy.";
  return tag.starts_with(start) &&
         std::find(own_tags.begin(), own_tags.end(), tag.substr(start.size())) != own_tags.end();
}

void check_tag(const MessageView& tag, CheckedDocument& document) {
  if (tag.has("fixed_value")) {
    return;
  }
  const std::string name = tag.text("tag_name");
  if (tag.text("regex").empty() && !has_own_expression(name)) {
    document.refuse(tag.node().span,
                    "No regex specified for tag specifier and no default regex for name: '" + name + "'");
  } else if (name.empty()) {
    document.refuse(tag.node().span, "tag_name cannot be empty");
  }
}

void check_zipkin(const MessageView& tracer, CheckedDocument& document) {
  const std::string cluster = tracer.text("collector_cluster");
  if (!tracer.has("collector_endpoint_version") ||
      tracer.is("collector_endpoint_version", "DEPRECATED_AND_UNAVAILABLE_DO_NOT_USE", 0)) {
    document.refuse(tracer.place("collector_endpoint_version"),
                    "Using the default now-deprecated value DEPRECATED_AND_UNAVAILABLE_DO_NOT_USE for enum "
                    "'envoy.config.trace.v3.ZipkinConfig.collector_endpoint_version'");
  } else if (document.is_bootstrap && !cluster.empty() && !tracer.has("collector_service") &&
             !document.clusters.contains(cluster)) {
    document.refuse(tracer.place("collector_cluster"), "envoy.tracers.zipkin: unknown cluster '" + cluster + "'");
  }
}

void check_xray(const MessageView& tracer, CheckedDocument& document) {
  const MessageView endpoint = tracer.message("daemon_endpoint");
  if (!endpoint.exists() || !endpoint.is("protocol", "UDP", 1)) {
    document.refuse(tracer.place("daemon_endpoint"), "X-Ray daemon endpoint must be a UDP socket address");
  }
}

void check_scope_of_header(const MessageView& extractor, CheckedDocument& document) {
  if (!extractor.has("index") && !extractor.has("element")) {
    document.refuse(extractor.node().span, "HeaderValueExtractor extract_type not set.");
  } else if (extractor.number("index") > 0 && extractor.text("element_separator").empty()) {
    document.refuse(extractor.place("index"), "Index > 0 for empty string element separator.");
  }
}

void check_inline_scopes(const MessageView& scopes, CheckedDocument& document) {
  for (const MessageView& scope : scopes.items("scoped_route_configurations")) {
    if (!scope.text("route_configuration_name").empty()) {
      document.refuse(scope.place("route_configuration_name"),
                      "Fetching routes via RDS (route_configuration_name) is not supported with inline scoped routes.");
    }
  }
}

}  // namespace

std::span<const RefusedMessage> refused_elsewhere() noexcept {
  static constexpr auto messages = std::to_array<RefusedMessage>({
      {"envoy.config.metrics.v3.TagSpecifier", check_tag},
      {"envoy.config.trace.v3.ZipkinConfig", check_zipkin},
      {"envoy.config.trace.v3.XRayConfig", check_xray},
      {"envoy.extensions.filters.network.http_connection_manager.v3.ScopedRoutes.ScopeKeyBuilder.FragmentBuilder."
       "HeaderValueExtractor",
       check_scope_of_header},
      {"envoy.extensions.filters.network.http_connection_manager.v3.ScopedRouteConfigurationsList",
       check_inline_scopes},
  });
  return messages;
}

}  // namespace spillway::api
