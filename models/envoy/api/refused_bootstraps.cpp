#include "models/envoy/api/refused_bootstraps.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <fmt/format.h>
#include <set>
#include <string>
#include <string_view>

namespace spillway::api {
namespace {

void refuse_unknown_cluster(const MessageView& service, CheckedDocument& document) {
  const MessageView grpc = service.message("envoy_grpc");
  if (const std::string name = grpc.text("cluster_name"); document.lacks_cluster(name)) {
    document.refuse(grpc.place("cluster_name"), "Unknown gRPC client cluster '" + name + "'");
  }
}

void check_ads(const MessageView& ads, CheckedDocument& document) {
  if (!ads.exists()) {
    return;
  }
  if (!ads.is("api_type", "GRPC", 2) && !ads.is("api_type", "DELTA_GRPC", 3)) {
    document.refuse(ads.place("api_type"), "envoy.config.core.v3.ApiConfigSource type must be of non-aggregated gRPC");
  }
  const auto services = ads.items("grpc_services");
  if (services.empty()) {
    document.refuse(ads.node().span,
                    "envoy.config.core.v3.ApiConfigSource::(AGGREGATED_)(DELTA_)GRPC must have at least one gRPC "
                    "service specified");
  } else if (services.size() > 1) {
    document.refuse(services[1].node().span,
                    "envoy.config.core.v3.ApiConfigSource::(AGGREGATED_)(DELTA_)GRPC must have no more than 1 gRPC "
                    "services specified");
  } else {
    refuse_unknown_cluster(services.front(), document);
  }
}

// Refuses a second secret of one kind and name.
void check_secrets(const MessageView& resources, CheckedDocument& document) {
  constexpr std::array kinds =
      std::to_array<std::array<const char*, 2>>({{"tls_certificate", "TlsCertificate"},
                                                 {"session_ticket_keys", "TlsSessionTicketKeys"},
                                                 {"validation_context", "CertificateValidationContext"},
                                                 {"generic_secret", "GenericSecret"}});
  std::set<std::string> seen;
  for (const MessageView& secret : resources.items("secrets")) {
    for (const auto& [field, words] : kinds) {
      if (secret.has(field) && !seen.insert(std::string(field) + " " + secret.text("name")).second) {
        document.refuse(secret.node().span,
                        std::string("Duplicate static ") + words + " secret name " + secret.text("name"));
      }
    }
  }
}

void check_bootstrap(const MessageView& bootstrap, CheckedDocument& document) {
  if (bootstrap.has("stats_flush_interval") && bootstrap.has("stats_flush_on_admin")) {
    document.refuse(bootstrap.place("stats_flush_on_admin"),
                    "Only one of stats_flush_interval or stats_flush_on_admin should be set!");
  }
  constexpr double usual_interval = 5;
  const double flushes = bootstrap.seconds("stats_flush_interval", usual_interval);
  if (bootstrap.has("stats_eviction_interval") &&
      std::fmod(std::round(1000 * bootstrap.seconds("stats_eviction_interval")), std::round(1000 * flushes)) != 0) {
    document.refuse(bootstrap.place("stats_eviction_interval"),
                    "stats_eviction_interval must be a multiple of stats_flush_interval");
  }
  if (bootstrap.has("watchdog") && bootstrap.has("watchdogs")) {
    document.refuse(bootstrap.place("watchdogs"), "Only one of watchdog or watchdogs should be set!");
  }
  document.check_ip(bootstrap.message("admin").message("address").message("socket_address"));
  std::vector<MessageView> sources = bootstrap.items("config_sources");
  sources.push_back(bootstrap.message("default_config_source"));
  for (const MessageView& source : sources) {
    if (source.exists() && !source.has("api_config_source")) {
      document.refuse(source.node().span,
                      "Only api_config_source type is currently supported for xdstp-based config sources.");
    }
  }
  check_ads(bootstrap.message("dynamic_resources").message("ads_config"), document);
  check_secrets(bootstrap.message("static_resources"), document);
}

void check_layers(const MessageView& runtime, CheckedDocument& document) {
  bool has_admin = false;
  for (const MessageView& layer : runtime.items("layers")) {
    if (layer.has("admin_layer") && has_admin) {
      document.refuse(layer.place("admin_layer"),
                      "Too many admin layers specified in LayeredRuntime, at most one may be specified");
    }
    has_admin = has_admin || layer.has("admin_layer");
  }
}

// Checks what decides when an overload action or a load shed point acts. `owner`: of Envoy's words.
void check_triggers(const MessageView& action, const std::set<std::string>& monitors, const std::string& owner,
                    CheckedDocument& document) {
  std::set<std::string> seen;
  for (const MessageView& trigger : action.items("triggers")) {
    const std::string name = trigger.text("name");
    if (!monitors.contains(name)) {
      document.refuse(trigger.place("name"),
                      fmt::format("Unknown trigger resource {} for {} {}", name, owner, action.text("name")));
    } else if (!seen.insert(name).second) {
      document.refuse(trigger.place("name"), "Duplicate trigger resource for " + owner + " " + action.text("name"));
    }
  }
}

void check_scaled_timers(const MessageView& action, CheckedDocument& document) {
  constexpr std::string_view timers = "envoy.config.overload.v3.ScaleTimersOverloadActionConfig";
  if (const std::string type = action.message("typed_config").any_type(); type != timers) {
    document.refuse(action.place("typed_config"),
                    "typed_config resolves to " + type + " instead of " + std::string(timers));
  }
  std::set<std::string> seen;
  for (const MessageView& timer : action.message("typed_config").any_message().items("timer_scale_factors")) {
    if (!seen.insert(timer.text("timer")).second) {
      document.refuse(timer.place("timer"), "Found duplicate entry for timer type " + timer.text("timer"));
    }
  }
}

void check_overload_action(const MessageView& action, bool tracks_buffers, CheckedDocument& document) {
  constexpr std::array names = std::to_array<std::string_view>(
      {"disable_http_keepalive", "reduce_timeouts", "reject_incoming_connections", "reset_high_memory_stream",
       "shrink_heap", "stop_accepting_connections", "stop_accepting_requests"});
  constexpr std::string_view package = "envoy.overload_actions.";
  const std::string name = action.text("name");
  const std::string_view after = name.starts_with(package) ? std::string_view(name).substr(package.size()) : "";
  if (std::find(names.begin(), names.end(), after) == names.end()) {
    document.refuse(action.place("name"), "Unknown Overload Manager Action " + name);
  } else if (after == "reduce_timeouts" && !action.has("typed_config")) {
    document.refuse(action.node().span, "Overload action \"" + name + "\" requires typed_config");
  } else if (after == "reduce_timeouts") {
    check_scaled_timers(action, document);
  } else if (action.has("typed_config")) {
    document.refuse(action.place("typed_config"),
                    "Overload action name \"" + name + "\" conflicts with its typed config");
  } else if (after == "reset_high_memory_stream" && !tracks_buffers) {
    document.refuse(action.node().span, "Overload action \"" + name + "\" requires buffer_factory_config.");
  }
}

// Adds a name; reports it if it is there.
void add_once(const MessageView& named, std::set<std::string>& names, const std::string& words,
              CheckedDocument& document) {
  if (!names.insert(named.text("name")).second) {
    document.refuse(named.place("name"), words + named.text("name"));
  }
}

void check_overload_manager(const MessageView& manager, CheckedDocument& document) {
  constexpr std::string_view connections = "envoy.resource_monitors.global_downstream_max_connections";
  std::set<std::string> monitors;
  std::set<std::string> actions;
  std::set<std::string> points;
  for (const MessageView& monitor : manager.items("resource_monitors")) {
    add_once(monitor, monitors, "Duplicate resource monitor ", document);
    const std::string type = monitor.message("typed_config").any_type();
    if (type.ends_with(".DownstreamConnectionsConfig") && monitor.text("name") != connections) {
      document.refuse(monitor.place("name"), "Didn't find a registered implementation for '" + monitor.text("name") +
                                                 "' with type URL: '" + type + "'");
    }
  }
  for (const MessageView& action : manager.items("actions")) {
    check_overload_action(action, manager.has("buffer_factory_config"), document);
    add_once(action, actions, "Duplicate overload action ", document);
    check_triggers(action, monitors, "overload action", document);
  }
  for (const MessageView& point : manager.items("loadshed_points")) {
    add_once(point, points, "Duplicate loadshed point ", document);
    check_triggers(point, monitors, "loadshed point", document);
  }
}

void check_scaled_trigger(const MessageView& trigger, CheckedDocument& document) {
  if (trigger.number("scaling_threshold") >= trigger.number("saturation_threshold")) {
    document.refuse(trigger.node().span, "scaling_threshold must be less than saturation_threshold");
  }
}

void check_heap(const MessageView& monitor, CheckedDocument& document) {
  if (monitor.number("max_heap_size_bytes") <= 0) {
    document.refuse(monitor.place("max_heap_size_bytes"), "fixed_heap: max heap size must be greater than 0");
  }
}

void check_statsd(const MessageView& sink, CheckedDocument& document) {
  document.check_ip(sink.message("address").message("socket_address"));
  const std::string cluster = sink.text("tcp_cluster_name");
  if (document.lacks_cluster(cluster)) {
    document.refuse(sink.place("tcp_cluster_name"), "tcp statsd: unknown cluster '" + cluster + "'");
  }
}

void check_api_version(const MessageView& service, CheckedDocument& document) {
  if (service.has("grpc_service") && service.is("transport_api_version", "V2", 1)) {
    document.refuse(service.place("transport_api_version"),
                    "The v2 xDS major version has been removed and is no longer supported.");
  }
}

void check_metrics_service(const MessageView& sink, CheckedDocument& document) {
  check_api_version(sink, document);
  refuse_unknown_cluster(sink.message("grpc_service"), document);
}

// Refuses what cannot stand in JSON: the plain message, and the tags of all loggers.
void check_log_values(const documents::Node& node, CheckedDocument& document) {
  for (const char* const flag : {"%v", "%_"}) {
    if (node.kind == documents::Kind::string && node.text.find(flag) != std::string::npos) {
      document.refuse(node.span, std::string("setJsonLogFormat error: INVALID_ARGUMENT: Usage of ") + flag +
                                     " is unavailable for JSON log formats");
    }
  }
  for (const documents::Member& member : node.members) {
    check_log_values(member.value, document);
  }
}

void check_log_format(const MessageView& format, CheckedDocument& document) {
  if (const documents::Node* const values = format.find("json_format")) {
    check_log_values(*values, document);
  }
}

}  // namespace

std::span<const RefusedMessage> refused_in_bootstraps() noexcept {
  static constexpr auto messages = std::to_array<RefusedMessage>({
      {"envoy.config.bootstrap.v3.Bootstrap", check_bootstrap},
      {"envoy.config.bootstrap.v3.Bootstrap.ApplicationLogConfig.LogFormat", check_log_format},
      {"envoy.config.bootstrap.v3.LayeredRuntime", check_layers},
      {"envoy.config.metrics.v3.DogStatsdSink", check_statsd},
      {"envoy.config.metrics.v3.MetricsServiceConfig", check_metrics_service},
      {"envoy.config.metrics.v3.StatsdSink", check_statsd},
      {"envoy.config.ratelimit.v3.RateLimitServiceConfig", check_api_version},
      {"envoy.extensions.access_loggers.grpc.v3.CommonGrpcAccessLogConfig", check_api_version},
      {"envoy.extensions.filters.network.ext_authz.v3.ExtAuthz", check_api_version},
      {"envoy.extensions.stat_sinks.open_telemetry.v3.SinkConfig", check_metrics_service},
      {"envoy.config.overload.v3.OverloadManager", check_overload_manager},
      {"envoy.config.overload.v3.ScaledTrigger", check_scaled_trigger},
      {"envoy.extensions.resource_monitors.fixed_heap.v3.FixedHeapConfig", check_heap},
      {"envoy.extensions.stat_sinks.graphite_statsd.v3.GraphiteStatsdSink", check_statsd},
  });
  return messages;
}

}  // namespace spillway::api
