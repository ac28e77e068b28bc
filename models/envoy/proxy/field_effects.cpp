#include "models/envoy/proxy/field_effects.hpp"

#include <algorithm>
#include <array>
#include <span>

namespace spillway::proxy {
namespace {

// True if the list contains the name, or a prefix of it that ends in `*`.
bool has_name(std::string_view names, std::string_view name) {
  while (!names.empty()) {
    const std::size_t end = std::min(names.find(' '), names.size());
    const std::string_view one = names.substr(0, end);
    if (one == name || (one.ends_with('*') && name.starts_with(one.substr(0, one.size() - 1)))) {
      return true;
    }
    names.remove_prefix(std::min(end + 1, names.size()));
  }
  return false;
}

// Fields with the same effect. Their names are separated by blanks.
struct Row {
  Message message;
  std::string_view names;
  FieldEffect effect;
};

// Source: tests of Envoy 1.40, or its source code if a described request cannot show the effect.
constexpr auto known_effects = std::to_array<Row>({
    {Message::listener,
     "name address additional_addresses filter_chains fcds_config filter_chain_matcher use_original_dst "
     "default_filter_chain listener_filters api_listener internal_listener",
     {{}, Effect::simulated}},
    {Message::listener,
     "stat_prefix per_connection_buffer_limit_bytes per_connection_buffer_high_watermark_timeout metadata "
     "deprecated_v1 drain_type listener_filters_timeout continue_on_listener_filters_timeout transparent freebind "
     "socket_options tcp_fast_open_queue_length traffic_direction udp_listener_config connection_balance_config "
     "reuse_port enable_reuse_port access_log tcp_backlog_size max_connections_to_accept_per_socket_event "
     "bind_to_port enable_mptcp ignore_global_conn_limit bypass_overload_manager tcp_keepalive",
     {{}, Effect::none}},
    {Message::filter_chain, "filter_chain_match filters transport_socket name", {{}, Effect::simulated}},
    {Message::filter_chain,
     "use_proxy_proto metadata transport_socket_connect_timeout on_demand_configuration",
     {{}, Effect::none}},

    {Message::listener_filter,
     "envoy.extensions.filters.listener.original_dst.* envoy.extensions.filters.listener.tls_inspector.* "
     "envoy.extensions.filters.listener.http_inspector.* envoy.extensions.filters.listener.proxy_protocol.* "
     "envoy.extensions.filters.listener.original_src.*",
     {{}, Effect::none}},
    {Message::listener_filter,
     "envoy.extensions.filters.listener.local_ratelimit.*",
     {{}, Effect::answers, part::nothing}},
    {Message::listener_filter,
     "envoy.extensions.filters.listener.set_filter_state.*",
     {{}, Effect::changes, part::filter_state}},

    {Message::network_filter,
     "envoy.extensions.filters.network.http_connection_manager.* envoy.extensions.filters.network.tcp_proxy.*",
     {{}, Effect::simulated}},
    {Message::network_filter,
     "envoy.extensions.filters.network.sni_cluster.* envoy.extensions.filters.network.tcp_bandwidth_limit.* "
     "envoy.tcp.metadata_exchange.config.MetadataExchange stats.PluginConfig",
     {{}, Effect::none}},
    {Message::network_filter,
     "envoy.extensions.filters.network.rbac.*",
     {{}, Effect::answers, part::nothing, {}, "rules matcher"}},
    {Message::network_filter,
     "envoy.extensions.filters.network.local_ratelimit.* envoy.extensions.filters.network.ratelimit.* "
     "envoy.extensions.filters.network.connection_limit.*",
     {{}, Effect::answers, part::nothing}},
    {Message::network_filter, "envoy.extensions.filters.network.ext_authz.*", {{}, Effect::both, part::metadata}},
    {Message::network_filter,
     "envoy.extensions.filters.network.set_filter_state.*",
     {{}, Effect::changes, part::filter_state}},
    {Message::network_filter, "envoy.extensions.filters.network.geoip.*", {{}, Effect::changes, part::filter_state}},

    {Message::connection_manager,
     "@type rds route_config scoped_routes http_filters normalize_path merge_slashes "
     "path_with_escaped_slashes_action "
     "strip_matching_host_port strip_any_host_port strip_trailing_host_dot xff_num_trusted_hops skip_xff_append "
     "use_remote_address "
     "common_http_protocol_options internal_address_config",
     {{}, Effect::simulated}},
    {Message::connection_manager,
     "codec_type stat_prefix tracing http1_safe_max_connection_duration http_protocol_options http2_protocol_options "
     "http3_protocol_options server_name server_header_transformation max_request_headers_kb stream_idle_timeout "
     "stream_flush_timeout request_timeout request_headers_timeout drain_timeout drain_timeout_jitter "
     "delayed_close_timeout access_log access_log_flush_interval flush_access_log_on_new_request access_log_options "
     "always_set_request_id_in_response proxy_100_continue upgrade_configs local_reply_config "
     "stream_error_on_invalid_http_message proxy_status_config append_local_overload "
     "add_proxy_protocol_connection_state generate_request_id request_id_extension",
     {{}, Effect::none}},
    {Message::connection_manager,
     "original_ip_detection_extensions",
     {{}, Effect::both, part::headers | part::source | part::route, "x-forwarded-for"}},
    {Message::connection_manager,
     "early_header_mutation_extensions",
     {{}, Effect::changes, part::headers | part::route}},
    {Message::connection_manager,
     "scheme_header_transformation",
     {{}, Effect::changes, part::headers | part::route, ":scheme"}},
    {Message::connection_manager,
     "path_normalization_options",
     {{}, Effect::changes, part::headers | part::route, ":path"}},
    {Message::connection_manager, "typed_header_validation_config", {{}, Effect::both, part::headers | part::route}},
    {Message::connection_manager,
     "add_user_agent",
     {{}, Effect::changes, part::headers | part::route, "user-agent,x-envoy-*"}},
    {Message::connection_manager, "via", {{}, Effect::changes, part::headers | part::route, "via"}},
    {Message::connection_manager,
     "preserve_external_request_id",
     {{}, Effect::changes, part::headers | part::route, "x-request-id"}},
    {Message::connection_manager,
     "forward_client_cert_details set_current_client_cert_details forward_client_cert_matcher",
     {{}, Effect::changes, part::headers | part::route, "x-forwarded-client-cert"}},
    {Message::connection_manager,
     "represent_ipv4_remote_address_as_ipv4_mapped_ipv6",
     {{}, Effect::changes, part::headers | part::source | part::route, "x-forwarded-for,x-envoy-*"}},
    {Message::connection_manager,
     "append_x_forwarded_port",
     {{}, Effect::changes, part::headers | part::route, "x-forwarded-port"}},
    {Message::connection_manager,
     "forward_proto_config",
     {{}, Effect::changes, part::headers | part::route, "x-forwarded-proto,:scheme"}},
    {Message::http_options,
     "idle_timeout max_connection_duration max_stream_duration headers_with_underscores_action "
     "max_requests_per_connection max_response_headers_kb max_connection_duration_jitter",
     {{}, Effect::none}},
    {Message::http_options, "max_headers_count", {{}, Effect::answers, part::nothing}},

    {Message::route_configuration,
     "@type name virtual_hosts cluster_specifier_plugins ignore_port_in_host_matching vhost_header "
     "ignore_path_parameters_in_path_matching typed_per_filter_config request_headers_to_add "
     "request_headers_to_remove",
     {{}, Effect::simulated}},
    {Message::route_configuration,
     "vhds response_headers_to_add response_headers_to_remove most_specific_header_mutations_wins validate_clusters "
     "max_direct_response_body_size_bytes request_mirror_policies metadata",
     {{}, Effect::none}},
    {Message::route_configuration, "internal_only_headers", {{}, Effect::changes, part::headers | part::route}},

    {Message::virtual_host,
     "@type name domains routes matcher typed_per_filter_config retry_policy request_headers_to_add "
     "request_headers_to_remove require_tls",
     {{}, Effect::simulated}},
    {Message::virtual_host,
     "virtual_clusters response_headers_to_add response_headers_to_remove cors include_attempt_count_in_response "
     "include_is_timeout_retry_header per_request_buffer_limit_bytes request_body_buffer_limit "
     "request_mirror_policies metadata rate_limits",
     {{}, Effect::none}},
    {Message::virtual_host,
     "include_request_attempt_count",
     {{}, Effect::changes, part::headers | part::after_filters, "x-envoy-attempt-count"}},
    {Message::virtual_host, "retry_policy_typed_config hedge_policy", {{}, Effect::changes, part::nothing}},

    {Message::http_filter,
     "envoy.extensions.filters.http.router.* envoy.extensions.filters.http.header_to_metadata.* "
     "envoy.extensions.filters.http.stateful_session.*",
     {{}, Effect::simulated}},
    {Message::http_filter,
     "envoy.extensions.filters.http.cors.* envoy.extensions.filters.http.grpc_stats.* "
     "envoy.extensions.filters.http.compressor.* envoy.extensions.filters.http.gzip.* "
     "envoy.extensions.filters.http.buffer.* envoy.extensions.filters.http.file_system_buffer.* "
     "envoy.extensions.filters.http.bandwidth_limit.* envoy.extensions.filters.http.bandwidth_share.* "
     "envoy.extensions.filters.http.tap.* envoy.extensions.filters.http.original_src.* "
     "envoy.extensions.filters.http.on_demand.* envoy.extensions.filters.http.alternate_protocols_cache.* "
     "envoy.extensions.filters.http.upstream_codec.* envoy.extensions.filters.http.custom_response.* "
     "envoy.extensions.filters.http.sse_to_metadata.* envoy.extensions.filters.http.proto_api_scrubber.* "
     "istio.envoy.config.filter.http.alpn.* stats.PluginConfig envoy.config.filter.http.gzip.*",
     {{}, Effect::none}},
    {Message::http_filter,
     "envoy.extensions.filters.http.fault.*",
     {{}, Effect::answers, part::nothing, {}, "abort delay"}},
    {Message::http_filter,
     "envoy.extensions.filters.http.rbac.*",
     {{}, Effect::answers, part::nothing, {}, "rules matcher"}},
    {Message::http_filter,
     "envoy.extensions.filters.http.local_ratelimit.*",
     {{}, Effect::answers, part::nothing, {}, "filter_enforced"}},
    {Message::http_filter,
     "envoy.extensions.filters.http.ratelimit.* envoy.extensions.filters.http.rate_limit_quota.* "
     "envoy.extensions.filters.http.health_check.* envoy.extensions.filters.http.adaptive_concurrency.* "
     "envoy.extensions.filters.http.admission_control.* envoy.extensions.filters.http.cache.* "
     "envoy.extensions.filters.http.cache_v2.* envoy.extensions.filters.http.csrf.* "
     "envoy.extensions.filters.http.kill_request.* envoy.extensions.filters.http.file_server.*",
     {{}, Effect::answers, part::nothing}},
    {Message::http_filter,
     "envoy.extensions.filters.http.lua.*",
     {{}, Effect::both, part::anything, {}, "default_source_code inline_code source_codes source_code name"}},
    {Message::http_filter,
     "envoy.extensions.filters.http.ext_authz.*",
     {{}, Effect::both, part::headers | part::metadata | part::route}},
    {Message::http_filter,
     "envoy.extensions.filters.http.jwt_authn.*",
     {{}, Effect::both, part::headers | part::metadata | part::route, {}, "rules filter_state_rules requirement_name"}},
    {Message::http_filter,
     "envoy.extensions.filters.http.oauth2.*",
     {{}, Effect::both, part::headers, "authorization,cookie", "config"}},
    {Message::http_filter,
     "envoy.extensions.filters.http.basic_auth.* envoy.extensions.filters.http.api_key_auth.*",
     {{}, Effect::both, part::headers}},
    {Message::http_filter, "envoy.extensions.filters.http.cdn_loop.*", {{}, Effect::both, part::headers, "cdn-loop"}},
    {Message::http_filter,
     "envoy.extensions.filters.http.dynamic_forward_proxy.*",
     {{}, Effect::both, part::headers, ":authority"}},
    {Message::http_filter,
     "envoy.extensions.filters.http.grpc_json_transcoder.* "
     "envoy.extensions.filters.http.grpc_json_reverse_transcoder.*",
     {{}, Effect::both, part::headers | part::route}},
    {Message::http_filter,
     "envoy.extensions.filters.http.grpc_web.* envoy.extensions.filters.http.grpc_http1_bridge.* "
     "envoy.extensions.filters.http.grpc_http1_reverse_bridge.* envoy.extensions.filters.http.connect_grpc_bridge.*",
     {{}, Effect::changes, part::headers, "content-type,accept,te,:path"}},
    {Message::http_filter,
     "envoy.extensions.filters.http.decompressor.*",
     {{}, Effect::changes, part::headers, "accept-encoding,content-*"}},
    {Message::http_filter, "envoy.extensions.filters.http.header_mutation.*", {{}, Effect::changes, part::headers}},
    {Message::http_filter,
     "envoy.extensions.filters.http.ip_tagging.*",
     {{}, Effect::changes, part::headers | part::route}},
    {Message::http_filter, "envoy.extensions.filters.http.geoip.*", {{}, Effect::changes, part::headers}},
    {Message::http_filter,
     "envoy.extensions.filters.http.gcp_authn.* envoy.extensions.filters.http.credential_injector.*",
     {{}, Effect::changes, part::headers, "authorization"}},
    {Message::http_filter,
     "envoy.extensions.filters.http.aws_request_signing.* envoy.extensions.filters.http.aws_lambda.*",
     {{}, Effect::changes, part::headers}},
    {Message::http_filter,
     "envoy.extensions.filters.http.json_to_metadata.* envoy.extensions.filters.http.set_metadata.* "
     "envoy.extensions.filters.http.thrift_to_metadata.* envoy.extensions.filters.http.proto_message_extraction.* "
     "envoy.extensions.filters.http.grpc_field_extraction.*",
     {{}, Effect::changes, part::metadata}},
    {Message::http_filter,
     "envoy.extensions.filters.http.set_filter_state.*",
     {{}, Effect::changes, part::filter_state}},
    {Message::http_filter,
     "io.istio.http.peer_metadata.*",
     {{}, Effect::changes, part::headers, "x-envoy-peer-metadata,x-envoy-peer-metadata-id"}},
});

}  // namespace

FieldEffect effect_of(Message message, std::string_view name) {
  const auto* const row = std::find_if(known_effects.begin(), known_effects.end(), [&](const Row& one) {
    return one.message == message && has_name(one.names, name);
  });
  FieldEffect effect = row == known_effects.end() ? FieldEffect{} : row->effect;
  effect.name = name;
  return effect;
}

}  // namespace spillway::proxy
