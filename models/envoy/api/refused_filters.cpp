#include "models/envoy/api/refused_filters.hpp"

#include <algorithm>
#include <array>
#include <set>

#include "models/envoy/api/api_tables.hpp"
#include "models/envoy/api/refused_routes.hpp"

namespace spillway::api {
namespace {

constexpr std::string_view upstream_codec = "envoy.extensions.filters.http.upstream_codec.v3.UpstreamCodec";

// True for HTTP filters that answer. Source: Envoy 1.40, asked for each filter of tables/extensions.txt.
bool is_terminal(std::string_view type) {
  return type == "envoy.extensions.filters.http.router.v3.Router" ||
         type == "envoy.extensions.filters.http.mcp_router.v3.McpRouter";
}

// True for HTTP filters that may answer or not, as their configuration says.
bool may_be_terminal(std::string_view type) {
  return !find_extension("envoy.filters.http", type).taken || type.find(".dynamic_modules.") != std::string_view::npos;
}

// Checks that the filter that answers is the last one. Filters of unknown types may be either.
void check_filter_order(const MessageView& message, std::string_view field, CheckedDocument& document) {
  const auto filters = message.items(field);
  for (std::size_t i = 0; i < filters.size(); ++i) {
    const std::string type = filters[i].message("typed_config").any_type();
    const std::string name = filters[i].text("name");
    const bool is_last = i + 1 == filters.size();
    if (is_terminal(type) && !is_last) {
      std::string words = "Error: terminal filter named ";
      words.append(name).append(" of type ").append(type).append(" must be the last filter in a http filter chain.");
      document.refuse(filters[i].node().span, words);
    } else if (is_terminal(type) && filters[i].flag("disabled")) {
      document.refuse(filters[i].place("disabled"),
                      "Error: the last (terminal) filter (" + name + ") in the chain cannot be disabled by default.");
    } else if (is_last && !is_terminal(type) && !may_be_terminal(type)) {
      std::string words = "Error: non-terminal filter named ";
      words.append(name).append(" of type ").append(type).append(" is the last filter in a http filter chain.");
      document.refuse(filters[i].node().span, words);
    }
  }
}

void check_address_detection(const MessageView& manager, CheckedDocument& document) {
  if (!manager.has("original_ip_detection_extensions") || manager.items("original_ip_detection_extensions").empty()) {
    return;
  }
  if (manager.flag("use_remote_address")) {
    document.refuse(manager.place("use_remote_address"),
                    "Original IP detection extensions and use_remote_address may not be mixed");
  } else if (manager.number("xff_num_trusted_hops") > 0) {
    document.refuse(manager.place("xff_num_trusted_hops"),
                    "Original IP detection extensions and xff_num_trusted_hops may not be mixed");
  }
}

void check_connection_manager(const MessageView& manager, CheckedDocument& document) {
  check_filter_order(manager, "http_filters", document);
  check_upgrade_configs_of_manager(manager, document);
  for (const MessageView& upgrade : manager.items("upgrade_configs")) {
    check_filter_order(upgrade, "filters", document);
  }
  check_address_detection(manager, document);
  if (manager.flag("strip_matching_host_port") && manager.flag("strip_any_host_port")) {
    document.refuse(manager.place("strip_any_host_port"),
                    "Error: Only one of `strip_matching_host_port` or `strip_any_host_port` can be set.");
  }
  if (manager.has("access_log_options") &&
      (manager.has("access_log_flush_interval") || manager.flag("flush_access_log_on_new_request"))) {
    document.refuse(manager.place("access_log_options"),
                    "Only one of access_log_flush_interval or access_log_options can be specified.");
  }
  refuse_header_validation(manager, "typed_header_validation_config", document);
  const MessageView common = manager.message("common_http_protocol_options");
  if (common.has("max_response_headers_kb")) {
    document.refuse(common.place("max_response_headers_kb"),
                    "Error: max_response_headers_kb cannot be set on http_connection_manager.");
  }
  constexpr double usual_kb = 60;
  const MessageView http2 = manager.message("http2_protocol_options");
  if (http2.has("max_header_field_size_kb") &&
      http2.number("max_header_field_size_kb") > manager.number("max_request_headers_kb", usual_kb)) {
    document.refuse(http2.place("max_header_field_size_kb"),
                    "max_header_field_size_kb must not exceed max_request_headers_kb");
  }
}

void check_rds(const MessageView& rds, CheckedDocument& document) {
  if (rds.message("config_source").has("self")) {
    document.refuse(rds.place("config_source"),
                    "Missing config source specifier in envoy::config::core::v3::ConfigSource");
  }
  if (!rds.has("config_source") && !rds.text("route_config_name").starts_with("xdstp:")) {
    document.refuse(rds.node().span,
                    "An RDS config must have either a 'config_source' or an xDS-TP based 'route_config_name'.");
  }
}

void check_xff(const MessageView& xff, CheckedDocument& document) {
  if (xff.has("xff_trusted_cidrs") && xff.number("xff_num_trusted_hops") > 0) {
    document.refuse(xff.place("xff_trusted_cidrs"), "Cannot set both xff_num_trusted_hops and xff_trusted_cidrs");
  }
}

void check_http2(const MessageView& options, CheckedDocument& document) {
  struct Named {
    const char* field;
    double identifier;
  };
  constexpr std::array named =
      std::to_array<Named>({{"hpack_table_size", 1}, {"max_concurrent_streams", 3}, {"initial_stream_window_size", 4}});
  const auto parameters = options.items("custom_settings_parameters");
  for (std::size_t i = 0; i < parameters.size(); ++i) {
    const double identifier = parameters[i].number("identifier");
    constexpr double push = 2;
    if (identifier == push && parameters[i].number("value") != 0) {
      document.refuse(parameters[i].node().span,
                      "server push is not supported by Envoy and can not be enabled via a SETTINGS parameter.");
    }
    for (std::size_t j = 0; j < i; ++j) {
      if (parameters[j].number("identifier") == identifier &&
          parameters[j].number("value") != parameters[i].number("value")) {
        document.refuse(parameters[i].node().span, "inconsistent HTTP/2 custom SETTINGS parameter(s) detected");
      }
    }
    for (const Named& entry : named) {
      if (entry.identifier == identifier && options.has(entry.field)) {
        document.refuse(parameters[i].node().span,
                        std::string("the {") + entry.field +
                            "} HTTP/2 SETTINGS parameter(s) can not be configured through both named and custom "
                            "parameters");
      }
    }
  }
}

void check_header_to_metadata_rule(const MessageView& rule, CheckedDocument& document) {
  if (!rule.text("header").empty() && !rule.text("cookie").empty()) {
    document.refuse(rule.place("cookie"), "Cannot specify both header and cookie in the same rule");
  } else if (rule.text("header").empty() && rule.text("cookie").empty()) {
    document.refuse(rule.node().span, "One of Cookie or Header option needs to be specified");
  }
}

// True for the settings of a filter on a route, a virtual host or a weighted cluster.
bool is_of_route(const CheckedDocument& document) {
  return !document.is_within("envoy.extensions.filters.network.http_connection_manager.v3.HttpFilter");
}

// Only the settings of a route or virtual host need rules.
void check_metadata_rules(const MessageView& config, CheckedDocument& document) {
  if (is_of_route(document) && config.items("request_rules").empty() && config.items("response_rules").empty()) {
    document.refuse(config.node().span,
                    "header_to_metadata_filter: Per filter configs must at least specify either request or response "
                    "rules");
  }
}

void check_metadata_rule(const MessageView& rule, CheckedDocument& document) {
  check_header_to_metadata_rule(rule, document);
  const MessageView present = rule.message("on_header_present");
  const MessageView missing = rule.message("on_header_missing");
  if (!present.exists() && !missing.exists()) {
    document.refuse(rule.node().span, "the rule has neither `on_header_present` nor `on_header_missing` set");
  } else if (missing.exists() && missing.text("value").empty()) {
    document.refuse(missing.node().span, "Cannot specify on_header_missing rule with an empty value");
  } else if (!present.text("value").empty() && present.has("regex_value_rewrite")) {
    document.refuse(present.place("value"), "Cannot specify both value and regex_value_rewrite");
  } else if (!rule.text("cookie").empty() && rule.flag("remove")) {
    document.refuse(rule.place("remove"), "Cannot specify remove for cookie");
  }
}

void check_json_rule(const MessageView& rule, CheckedDocument& document) {
  if (!rule.has("on_present") && !rule.has("on_missing")) {
    document.refuse(rule.node().span, "json to metadata filter: neither `on_present` nor `on_missing` set");
  }
}

void check_rate_limit_expression(const MessageView& descriptor, CheckedDocument& document) {
  if (!descriptor.has("text") && !descriptor.has("parsed")) {
    document.refuse(descriptor.node().span, "Rate limit descriptor extension failed: expression specifier is not set");
  }
}

// A module must be named, although Envoy's API has no rule for it.
void check_has_module(const MessageView& filter, CheckedDocument& document) {
  const MessageView module = filter.message("dynamic_module_config");
  if (module.text("name").empty() && !module.has("module")) {
    document.refuse(filter.node().span, "Either 'name' or 'module' must be specified in dynamic_module_config");
  }
}

void check_route_specifier(const MessageView& specifier, CheckedDocument& document) {
  if (!specifier.message("dynamic_module_config").flag("do_not_close")) {
    document.refuse(specifier.place("dynamic_module_config"),
                    "dynamic_module_config.do_not_close must be true for a dynamic module route specifier");
  }
}

// Checks the limits of a filter's own messages, not those of a RouteAction.
void check_rate_limits(const MessageView& filter, CheckedDocument& document) {
  for (const MessageView& limit : filter.items("rate_limits")) {
    if (limit.has("stage") || !limit.text("disable_key").empty()) {
      document.refuse(limit.node().span, "'stage' field and 'disable_key' field are not supported");
    }
  }
}

void check_bucket(const MessageView& limit, CheckedDocument& document) {
  constexpr double shortest = 0.05;
  const MessageView bucket = limit.message("token_bucket");
  if (bucket.has("fill_interval") && bucket.seconds("fill_interval") < shortest) {
    document.refuse(bucket.place("fill_interval"), "local rate limit token bucket fill timer must be >= 50ms");
  }
}

void check_local_rate_limit(const MessageView& limit, CheckedDocument& document) {
  if (!limit.has("token_bucket") && is_of_route(document)) {
    document.refuse(limit.node().span, "local rate limit token bucket must be set for per filter configs");
  }
  check_bucket(limit, document);
  if (limit.has("local_cluster_rate_limit") && document.bootstrap.exists() &&
      document.bootstrap.message("cluster_manager").text("local_cluster_name").empty()) {
    document.refuse(limit.place("local_cluster_rate_limit"),
                    "local_cluster_rate_limit is set but no local cluster name is present");
  }
  check_rate_limits(limit, document);
  for (const MessageView& one : limit.items("rate_limits")) {
    if (one.has("limit")) {
      document.refuse(one.place("limit"), "'limit' field is not supported");
    }
  }
  std::set<std::string> seen;
  for (const MessageView& descriptor : limit.items("descriptors")) {
    std::string entries;
    for (const MessageView& entry : descriptor.items("entries")) {
      entries += entry.text("key") + "=" + entry.text("value") + ";";
    }
    if (!seen.insert(entries).second) {
      document.refuse(descriptor.node().span, "duplicate descriptor in the local rate descriptor: " + entries);
    }
  }
}

void check_port_range(const MessageView& range, CheckedDocument& document) {
  if (document.is_within("envoy.config.rbac.v3.Permission") && range.number("start") >= range.number("end")) {
    document.refuse(range.node().span, "range start cannot be greater or equal than range end");
  }
}

void check_lua(const MessageView& lua, CheckedDocument& document) {
  if (!lua.text("inline_code").empty() && lua.has("default_source_code")) {
    document.refuse(lua.place("inline_code"),
                    "Error: Only one of `inline_code` or `default_source_code` can be set for the Lua filter.");
  }
}

void check_query_mutation(const MessageView& mutation, CheckedDocument& document) {
  const bool append = mutation.has("append");
  const bool remove = !mutation.text("remove").empty();
  if (append == remove) {
    document.refuse(mutation.node().span, append ? "Only one of 'append'/'remove can be specified."
                                                 : "One of 'append'/'remove' must be specified.");
  }
}

void check_health_filter(const MessageView& filter, CheckedDocument& document) {
  constexpr double millisecond = 0.001;
  if (filter.seconds("cache_time") >= millisecond && !filter.flag("pass_through_mode")) {
    document.refuse(filter.place("cache_time"), "cache_time_ms must not be set when path_through_mode is disabled");
  }
}

void check_authorization_service(const MessageView& service, CheckedDocument& document) {
  const std::string prefix = service.text("path_prefix");
  if (!prefix.empty() && !prefix.starts_with('/')) {
    document.refuse(service.place("path_prefix"), "path_prefix should start with \"/\".");
  }
}

// Sessions are found by the name of their extension.
void check_stateful_session(const MessageView& filter, CheckedDocument& document) {
  const MessageView state = filter.message("session_state");
  constexpr std::string_view package = "envoy.http.stateful_session.";
  constexpr std::array names = std::to_array<std::string_view>({"cookie", "header", "envelope"});
  const std::string name = state.text("name");
  const bool is_known =
      name.starts_with(package) &&
      std::find(names.begin(), names.end(), std::string_view(name).substr(package.size())) != names.end();
  if (!is_known && find_extension("envoy.http.stateful_session", state.message("typed_config").any_type()).taken) {
    document.refuse(state.place("name"), "Didn't find a registered implementation for name: '" + name + "'");
  }
}

void check_success_criteria(const MessageView& criteria, CheckedDocument& document) {
  constexpr double first = 100;
  constexpr double end = 600;
  constexpr double last_code = 16;
  for (const MessageView& range : criteria.message("http_criteria").items("http_success_status")) {
    if (range.number("start") < first || range.number("end") > end || range.number("start") > range.number("end")) {
      document.refuse(range.node().span, "invalid HTTP range");
    }
  }
  for (const MessageView& code : criteria.message("grpc_criteria").items("grpc_success_status")) {
    if (number_of(code.node()).value_or(0) > last_code) {
      document.refuse(code.node().span, "invalid gRPC code");
    }
  }
}

void check_router(const MessageView& router, CheckedDocument& document) {
  const auto filters = router.items("upstream_http_filters");
  for (std::size_t i = 0; i < filters.size(); ++i) {
    const bool is_codec = filters[i].message("typed_config").any_type() == upstream_codec;
    if (const bool is_last = i + 1 == filters.size(); is_codec != is_last) {
      document.refuse(filters[i].node().span,
                      std::string("Error: ") + (is_last ? "non-terminal" : "terminal") + " filter named " +
                          filters[i].text("name") + (is_last ? " is the last filter" : " must be the last filter") +
                          " in a router upstream http filter chain. When upstream_http_filters are specified, they "
                          "must explicitly end with an UpstreamCodec filter.");
    }
  }
}

void check_ip_tagging(const MessageView& tagging, CheckedDocument& document) {
  if (tagging.has("ip_tags_datasource") && tagging.has("ip_tags")) {
    document.refuse(tagging.place("ip_tags_datasource"),
                    "Only one of ip_tags or ip_tags_datasource can be configured.");
  } else if (!tagging.has("ip_tags_datasource") && tagging.items("ip_tags").empty()) {
    document.refuse(tagging.node().span,
                    "HTTP IP Tagging Filter requires either ip_tags or ip_tags_datasource to be specified.");
  }
}

}  // namespace

void refuse_header_validation(const MessageView& message, const char* field, CheckedDocument& document) {
  if (const MessageView extension = message.message(field); extension.exists()) {
    document.refuse(extension.node().span,
                    "This Envoy binary does not support header validator extensions: '" + extension.text("name") + "'");
  }
}

void check_upstream_filters(const MessageView& options, CheckedDocument& document) {
  const auto filters = options.items("http_filters");
  if (!filters.empty() && filters.back().message("typed_config").any_type() != upstream_codec) {
    document.refuse(filters.back().node().span,
                    "The codec filter is the only valid terminal upstream HTTP filter, use "
                    "'envoy.extensions.filters.http.upstream_codec.v3.UpstreamCodec'");
  }
}

std::span<const RefusedMessage> refused_in_filters() noexcept {
  static constexpr auto messages = std::to_array<RefusedMessage>({
      {"envoy.extensions.filters.network.http_connection_manager.v3.HttpConnectionManager", check_connection_manager},
      {"envoy.extensions.filters.network.http_connection_manager.v3.Rds", check_rds},
      {"envoy.extensions.http.original_ip_detection.xff.v3.XffConfig", check_xff},
      {"envoy.config.core.v3.Http2ProtocolOptions", check_http2},
      {"envoy.extensions.filters.http.header_to_metadata.v3.Config", check_metadata_rules},
      {"envoy.extensions.filters.http.header_to_metadata.v3.Config.Rule", check_metadata_rule},
      {"envoy.extensions.filters.http.json_to_metadata.v3.JsonToMetadata.Rule", check_json_rule},
      {"envoy.extensions.load_balancing_policies.dynamic_modules.v3.DynamicModulesLoadBalancerConfig",
       check_has_module},
      {"envoy.extensions.router.route_specifiers.dynamic_modules.v3.DynamicModuleRouteSpecifier",
       check_route_specifier},
      {"envoy.extensions.filters.http.dynamic_modules.v3.DynamicModuleFilter", check_has_module},
      {"envoy.extensions.filters.http.dynamic_modules.v3.DynamicModuleFilterPerRoute", check_has_module},
      {"envoy.extensions.filters.network.dynamic_modules.v3.DynamicModuleNetworkFilter", check_has_module},
      {"envoy.extensions.filters.listener.dynamic_modules.v3.DynamicModuleListenerFilter", check_has_module},
      {"envoy.extensions.filters.udp.dynamic_modules.v3.DynamicModuleUdpListenerFilter", check_has_module},
      {"envoy.extensions.bootstrap.dynamic_modules.v3.DynamicModuleBootstrapExtension", check_has_module},
      {"envoy.extensions.access_loggers.dynamic_modules.v3.DynamicModuleAccessLog", check_has_module},
      {"envoy.extensions.clusters.dynamic_modules.v3.ClusterConfig", check_has_module},
      {"envoy.extensions.http.early_header_mutation.dynamic_modules.v3.DynamicModuleEarlyHeaderMutation",
       check_has_module},
      {"envoy.extensions.stat_sinks.dynamic_modules.v3.DynamicModuleStatsSink", check_has_module},
      {"envoy.extensions.tracers.dynamic_modules.v3.DynamicModuleTracer", check_has_module},
      {"envoy.extensions.transport_sockets.dynamic_modules.v3.DynamicModuleTransportSocket", check_has_module},
      {"envoy.extensions.rate_limit_descriptors.expr.v3.Descriptor", check_rate_limit_expression},
      {"envoy.extensions.filters.http.local_ratelimit.v3.LocalRateLimit", check_local_rate_limit},
      {"envoy.extensions.filters.network.local_ratelimit.v3.LocalRateLimit", check_local_rate_limit},
      {"envoy.extensions.filters.listener.local_ratelimit.v3.LocalRateLimit", check_bucket},
      {"envoy.extensions.filters.http.ratelimit.v3.RateLimit", check_rate_limits},
      {"envoy.extensions.filters.http.ratelimit.v3.RateLimitPerRoute", check_rate_limits},
      {"envoy.extensions.filters.http.router.v3.Router", check_router},
      {"envoy.extensions.filters.http.admission_control.v3.AdmissionControl.SuccessCriteria", check_success_criteria},
      {"envoy.type.v3.Int32Range", check_port_range},
      {"envoy.extensions.filters.http.lua.v3.Lua", check_lua},
      {"envoy.extensions.filters.http.stateful_session.v3.StatefulSession", check_stateful_session},
      {"envoy.config.core.v3.KeyValueMutation", check_query_mutation},
      {"envoy.extensions.filters.http.health_check.v3.HealthCheck", check_health_filter},
      {"envoy.extensions.filters.http.ext_authz.v3.HttpService", check_authorization_service},
      {"envoy.extensions.filters.http.ip_tagging.v3.IPTagging", check_ip_tagging},
  });
  return messages;
}

}  // namespace spillway::api
