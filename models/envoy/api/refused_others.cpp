#include "models/envoy/api/refused_others.hpp"

#include <algorithm>
#include <array>
#include <initializer_list>
#include <re2/re2.h>
#include <string>
#include <string_view>

#include "models/envoy/api/format_string.hpp"

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
  const re2::RE2 regex(tag.text("regex"), re2::RE2::Quiet);
  if (!regex.ok()) {
    document.refuse(tag.place("regex"), "Invalid regex '" + tag.text("regex") + "': " + regex.error());
  } else if (tag.text("regex").empty() && !has_own_expression(name)) {
    document.refuse(tag.node().span,
                    "No regex specified for tag specifier and no default regex for name: '" + name + "'");
  } else if (name.empty()) {
    document.refuse(tag.node().span, "tag_name cannot be empty");
  }
}

// Envoy makes the tracers of connection managers only; it keeps that of the bootstrap until one of these needs it.
void refuse_unknown_collector(const MessageView& owner, const char* field, const std::string& tracer,
                              CheckedDocument& document) {
  const std::string cluster = owner.text(field);
  if (document.lacks_cluster(cluster) && !document.is_within("envoy.config.trace.v3.Tracing")) {
    document.refuse(owner.place(field), "envoy.tracers." + tracer + ": unknown cluster '" + cluster + "'");
  }
}

void check_zipkin(const MessageView& tracer, CheckedDocument& document) {
  const std::string cluster = tracer.text("collector_cluster");
  const bool has_service = tracer.has("collector_service");
  const MessageView uri = tracer.message("collector_service").message("http_uri");
  if (!tracer.has("collector_endpoint_version") ||
      tracer.is("collector_endpoint_version", "DEPRECATED_AND_UNAVAILABLE_DO_NOT_USE", 0)) {
    document.refuse(tracer.place("collector_endpoint_version"),
                    "Using the default now-deprecated value DEPRECATED_AND_UNAVAILABLE_DO_NOT_USE for enum "
                    "'envoy.config.trace.v3.ZipkinConfig.collector_endpoint_version'");
  } else if (!has_service && (cluster.empty() || tracer.text("collector_endpoint").empty())) {
    document.refuse(tracer.node().span,
                    "collector_cluster and collector_endpoint must be specified when not using collector_service");
  } else {
    refuse_unknown_collector(has_service ? uri : tracer, has_service ? "cluster" : "collector_cluster", "zipkin",
                             document);
  }
}

void check_datadog(const MessageView& tracer, CheckedDocument& document) {
  refuse_unknown_collector(tracer, "collector_cluster", "datadog", document);
}

void check_open_telemetry_tracer(const MessageView& tracer, CheckedDocument& document) {
  if (tracer.has("grpc_service") == tracer.has("http_service") && !tracer.has("custom_exporter")) {
    document.refuse(tracer.node().span,
                    "OpenTelemetry Tracer must have exactly one of gRPC, HTTP, or custom exporter configured.");
  }
}

void check_custom_tag(const MessageView& tag, CheckedDocument& document) {
  if (const std::string fault = fault_of_format(tag.text("value")); !fault.empty()) {
    document.refuse(tag.place("value"), fault);
  }
}

Formats formats_of(const MessageView& message) {
  return message.has("formatters") ? Formats::with_formatters : Formats::of_logs;
}

void check_formats(const MessageView& message, std::initializer_list<const char*> fields, CheckedDocument& document) {
  for (const char* const field : fields) {
    const documents::Node* const values = message.find(field);
    if (values == nullptr) {
      continue;
    }
    if (const auto [place, fault] = fault_of_formats(*values, formats_of(message)); !fault.empty()) {
      document.refuse(place->span, fault);
    }
  }
}

void check_file_access_log(const MessageView& log, CheckedDocument& document) {
  check_formats(log, {"format", "json_format", "typed_json_format"}, document);
}

void check_text_source(const MessageView& format, CheckedDocument& document) {
  check_formats(format, {"text_format", "json_format"}, document);
  const MessageView source = format.message("text_format_source");
  if (const std::string fault = fault_of_format(source.text("inline_string"), formats_of(format)); !fault.empty()) {
    document.refuse(source.place("inline_string"), fault);
  }
}

// Refuses values of OpenTelemetry that are no texts, and their format strings.
void check_any_value(const MessageView& value, Formats formats, CheckedDocument& document) {
  for (const char* const list : {"array_value", "kvlist_value"}) {
    for (const MessageView& item : value.message(list).items("values")) {
      check_any_value(item.has("key") ? item.message("value") : item, formats, document);
    }
  }
  if (value.has("string_value")) {
    if (const std::string fault = fault_of_format(value.text("string_value"), formats); !fault.empty()) {
      document.refuse(value.place("string_value"), fault);
    }
  } else if (value.exists() && !value.node().members.empty() && !value.has("array_value") &&
             !value.has("kvlist_value")) {
    document.refuse(value.node().span,
                    "Only string values, nested key value lists and array values are supported in OpenTelemetry "
                    "access log format.");
  }
}

void check_open_telemetry_log(const MessageView& log, CheckedDocument& document) {
  const int transports = static_cast<int>(log.has("grpc_service")) + static_cast<int>(log.has("http_service")) +
                         static_cast<int>(log.message("common_config").has("grpc_service"));
  if (transports == 0) {
    document.refuse(log.node().span,
                    "OpenTelemetry access logger requires one of: grpc_service, http_service, or "
                    "common_config.grpc_service to be configured.");
  } else if (transports > 1) {
    document.refuse(log.node().span,
                    "OpenTelemetry access logger can only have one transport configured. Specify exactly one of: "
                    "grpc_service, http_service, or common_config.grpc_service.");
  }
  check_any_value(log.message("body"), formats_of(log), document);
  for (const MessageView& attribute : log.message("attributes").items("values")) {
    check_any_value(attribute.message("value"), formats_of(log), document);
  }
}

void check_fluentd_log(const MessageView& log, CheckedDocument& document) {
  if (document.lacks_cluster(log.text("cluster"))) {
    document.refuse(log.place("cluster"), "cluster '" + log.text("cluster") + "' was not found");
  }
  document.check_back_off(log.message("retry_options").message("backoff_options"),
                          "max_backoff_interval must be greater or equal to base_backoff_interval");
  check_formats(log, {"record"}, document);
}

void check_limited_log(const MessageView& filter, CheckedDocument& document) {
  if (!filter.has("dynamic_config")) {
    document.refuse(filter.node().span, "`dynamic_config` is required.");
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
    } else if (!scope.has("route_configuration")) {
      document.refuse(scope.node().span, "You must specify a route_configuration with inline scoped routes.");
    }
  }
}

}  // namespace

std::span<const RefusedMessage> refused_elsewhere() noexcept {
  static constexpr auto messages = std::to_array<RefusedMessage>({
      {"envoy.config.metrics.v3.TagSpecifier", check_tag},
      {"envoy.config.core.v3.SubstitutionFormatString", check_text_source},
      {"envoy.config.trace.v3.DatadogConfig", check_datadog},
      {"envoy.config.trace.v3.OpenTelemetryConfig", check_open_telemetry_tracer},
      {"envoy.config.trace.v3.ZipkinConfig", check_zipkin},
      {"envoy.config.trace.v3.XRayConfig", check_xray},
      {"envoy.extensions.access_loggers.file.v3.FileAccessLog", check_file_access_log},
      {"envoy.extensions.access_loggers.filters.process_ratelimit.v3.ProcessRateLimitFilter", check_limited_log},
      {"envoy.extensions.access_loggers.fluentd.v3.FluentdAccessLogConfig", check_fluentd_log},
      {"envoy.extensions.access_loggers.open_telemetry.v3.OpenTelemetryAccessLogConfig", check_open_telemetry_log},
      {"envoy.type.tracing.v3.CustomTag", check_custom_tag},
      {"envoy.extensions.filters.network.http_connection_manager.v3.ScopedRoutes.ScopeKeyBuilder.FragmentBuilder."
       "HeaderValueExtractor",
       check_scope_of_header},
      {"envoy.extensions.filters.network.http_connection_manager.v3.ScopedRouteConfigurationsList",
       check_inline_scopes},
  });
  return messages;
}

}  // namespace spillway::api
