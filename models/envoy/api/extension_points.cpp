#include "models/envoy/api/extension_points.hpp"

#include <algorithm>
#include <array>

#include "models/envoy/api/api_tables.hpp"

namespace spillway::api {
namespace {

struct ExtensionPoint {
  std::string_view message;
  std::string_view field;    // a google.protobuf.Any, a TypedExtensionConfig, or a list or map of them
  std::string_view package;  // of the messages that are allowed
  bool required = true;
};

// Source: the categories of Envoy's extensions (source/extensions/extensions_metadata.yaml).
constexpr std::array points = std::to_array<ExtensionPoint>({
    {"envoy.extensions.filters.network.http_connection_manager.v3.HttpFilter", "typed_config",
     "envoy.extensions.filters.http."},
    {"envoy.extensions.filters.network.http_connection_manager.v3.HttpConnectionManager",
     "original_ip_detection_extensions", "envoy.extensions.http.original_ip_detection."},
    {"envoy.extensions.filters.network.http_connection_manager.v3.HttpConnectionManager",
     "early_header_mutation_extensions", "envoy.extensions.http.early_header_mutation."},
    {"envoy.extensions.filters.network.http_connection_manager.v3.RequestIDExtension", "typed_config",
     "envoy.extensions.request_id."},
    {"envoy.config.listener.v3.Filter", "typed_config", "envoy.extensions.filters.network."},
    {"envoy.config.listener.v3.ListenerFilter", "typed_config", "envoy.extensions.filters.listener."},
    {"envoy.config.accesslog.v3.AccessLog", "typed_config", "envoy.extensions.access_loggers."},
    {"envoy.config.cluster.v3.Cluster.CustomClusterType", "typed_config", "envoy.extensions.clusters."},
    {"envoy.config.cluster.v3.Filter", "typed_config", "envoy.extensions.filters.network."},
    {"envoy.config.core.v3.TransportSocket", "typed_config", "envoy.extensions.transport_sockets."},
    {"envoy.config.core.v3.HealthCheck.CustomHealthCheck", "typed_config", "envoy.extensions.health_checkers."},
    {"envoy.config.route.v3.RetryPolicy.RetryHostPredicate", "typed_config", "envoy.extensions.retry.host."},
    {"envoy.config.route.v3.RetryPolicy.RetryPriority", "typed_config", "envoy.extensions.retry.priority."},
    {"envoy.config.route.v3.RetryPolicy", "retry_options_predicates", "envoy.extensions.retry."},
    {"envoy.config.route.v3.RouteMatch", "path_match_policy", "envoy.extensions.path.match."},
    {"envoy.config.route.v3.RouteAction", "path_rewrite_policy", "envoy.extensions.path.rewrite."},
    {"envoy.config.route.v3.RouteAction", "early_data_policy", "envoy.extensions.early_data."},
    {"envoy.config.route.v3.InternalRedirectPolicy", "predicates", "envoy.extensions.internal_redirect."},
    {"envoy.config.route.v3.ClusterSpecifierPlugin", "extension", "envoy.extensions.router.cluster_specifiers."},
    {"envoy.config.metrics.v3.StatsSink", "typed_config", ""},
    {"envoy.config.trace.v3.Tracing.Http", "typed_config", ""},
    {"envoy.extensions.filters.http.stateful_session.v3.StatefulSession", "session_state",
     "envoy.extensions.http.stateful_session.", false},
    {"envoy.extensions.filters.http.compressor.v3.Compressor", "compressor_library", "envoy.extensions.compression."},
    {"envoy.extensions.filters.http.decompressor.v3.Decompressor", "decompressor_library",
     "envoy.extensions.compression."},
});

// True if a field of this message contains another extension, is discovered, or may be missing.
bool may_be_missing(const MessageView& message) {
  return message.has("config_discovery") || message.flag("is_optional");
}

void check_extension(const MessageView& any, const MessageView& owner, const ExtensionPoint& point, Span where,
                     CheckedDocument& document) {
  const std::string type = any.any_type();
  const bool missing = type.empty() && point.required && !may_be_missing(owner);
  const bool misplaced = !type.empty() && !point.package.empty() && type.starts_with("envoy.") &&
                         !is_extension_type(type, point.package) && !may_be_missing(owner) &&
                         (document.reports_unknown_messages || is_known_message(type));
  if (missing || misplaced) {
    document.refuse(where, "Didn't find a registered implementation for '" + owner.text("name") + "' with type URL: '" +
                               type + "'");
  }
}

// Configurations of HTTP filters without a form for routes. Source: a live Envoy 1.40, asked for each filter.
bool is_without_routes(const std::string& type) {
  constexpr std::array filters =
      std::to_array<std::string_view>({"a2a.v3.A2a",
                                       "alternate_protocols_cache.v3.FilterConfig",
                                       "body_size_limit.v3.BodySizeLimit",
                                       "cache.v3.CacheConfig",
                                       "cache_v2.v3.CacheV2Config",
                                       "connect_grpc_bridge.v3.FilterConfig",
                                       "gcp_authn.v3.GcpAuthnFilterConfig",
                                       "grpc_http1_bridge.v3.Config",
                                       "grpc_stats.v3.FilterConfig",
                                       "grpc_web.v3.GrpcWeb",
                                       "ip_tagging.v3.IPTagging",
                                       "mcp_router.v3.McpRouter",
                                       "original_src.v3.OriginalSrc",
                                       "proto_api_scrubber.v3.ProtoApiScrubberConfig",
                                       "proto_message_extraction.v3.ProtoMessageExtractionConfig",
                                       "rate_limit_quota.v3.RateLimitQuotaFilterConfig",
                                       "rate_limit_quota.v3.RateLimitQuotaOverride",
                                       "router.v3.Router",
                                       "thrift_to_metadata.v3.ThriftToMetadata",
                                       "wasm.v3.Wasm"});
  constexpr std::string_view package = "envoy.extensions.filters.http.";
  return type.starts_with(package) &&
         std::find(filters.begin(), filters.end(), std::string_view(type).substr(package.size())) != filters.end();
}

// Checks the configurations of HTTP filters on a route, a virtual host and so on, which are keyed by the filter's name.
void check_filter_configs(const MessageView& message, CheckedDocument& document) {
  const documents::Node* const configs = message.find("typed_per_filter_config");
  for (std::size_t i = 0; configs != nullptr && i < configs->members.size(); ++i) {
    const documents::Member& entry = configs->members[i];
    const std::string type = MessageView(entry.value).any_type();
    if (is_without_routes(type)) {
      document.refuse(entry.value.span,
                      "The filter " + entry.key + " doesn't support virtual host or route specific configurations");
    } else if (type.empty() || (type.starts_with("envoy.") && type != "envoy.config.route.v3.FilterConfig" &&
                                !is_extension_type(type, "envoy.extensions.filters.http."))) {
      document.refuse(entry.value.span,
                      "Didn't find a registered implementation for '" + entry.key + "' with type URL: '" + type + "'");
    }
  }
}

}  // namespace

bool is_extension_type(std::string_view type, std::string_view package) {
  return type.starts_with(package);
}

void check_extension_points(const MessageView& message, std::string_view type, CheckedDocument& document) {
  for (const ExtensionPoint& point : points) {
    if (point.message != type) {
      continue;
    }
    if (point.field == "typed_config") {
      const MessageView any = message.message(point.field);
      check_extension(any, message, point, any.exists() ? any.node().span : message.node().span, document);
      continue;
    }
    for (const MessageView& extension : message.items(point.field)) {
      check_extension(extension.message("typed_config"), extension, point, extension.node().span, document);
    }
  }
  check_filter_configs(message, document);
}

}  // namespace spillway::api
