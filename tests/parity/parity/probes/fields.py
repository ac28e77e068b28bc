"""The probes: a field, a strong value of it, and the kind of cluster that it is tried on."""

from dataclasses import dataclass
from typing import Any

from parity.timelines.script import CHECK_PATH, PORT

Json = dict[str, Any]

_TYPE = "type.googleapis.com/"
_HEADER = [{"header": {"key": "x-added", "value": "yes"}}]
_FILE_SINK = {
    "name": "envoy.health_check.event_sink.file",
    "typed_config": {
        "@type": _TYPE + "envoy.extensions.health_check.event_sinks.file.v3.HealthCheckEventFileSink",
        "event_log_path": "/dev/null",
    },
}
_DNS = {"address": "127.0.0.1", "port_value": 1}  # nobody answers there


@dataclass(frozen=True)
class Probe:
    """`path`: where the value goes, from `cluster`, `assignment` or `route` on. `kind`: of the cluster, as worlds.py has
    it. `beside`: what else has to be there, on both sides, for the value to be accepted."""

    field: str
    path: tuple[str | int, ...]
    value: Any
    kind: str = "checked"
    beside: tuple[tuple[tuple[str | int, ...], Any], ...] = ()


def _cluster(name: str, value: Any, kind: str = "checked") -> Probe:
    return Probe(f"envoy.config.cluster.v3.Cluster.{name}", ("cluster", name), value, kind)


_RAW_BUFFER = {
    "name": "envoy.transport_sockets.raw_buffer",
    "typed_config": {"@type": _TYPE + "envoy.extensions.transport_sockets.raw_buffer.v3.RawBuffer"},
}


def _socket_match(name: str, value: Any) -> Probe:
    list_of_one = [{"name": "any", "match": {}, "transport_socket": _RAW_BUFFER}]
    path = ("cluster", "transport_socket_matches")
    field = f"envoy.config.cluster.v3.Cluster.TransportSocketMatch.{name}"
    return Probe(field, (*path, 0, name), value, beside=((path, list_of_one),))


def _check(name: str, value: Any, kind: str = "checked") -> Probe:
    return Probe(f"envoy.config.core.v3.HealthCheck.{name}", ("cluster", "health_checks", 0, name), value, kind)


def _route(name: str, value: Any) -> Probe:
    return Probe(f"envoy.config.route.v3.Route.{name}", ("route", name), value)


def _action(name: str, value: Any) -> Probe:
    return Probe(f"envoy.config.route.v3.RouteAction.{name}", ("route", "route", name), value)


def _weighted(name: str, value: Any) -> Probe:
    path = ("route", "route", "weighted_clusters", "clusters", 0, name)
    return Probe(f"envoy.config.route.v3.WeightedCluster.ClusterWeight.{name}", path, value, "weighted")


def _retry_window(field: str, value: Any) -> Probe:
    path = ("cluster", "dns_failure_refresh_rate", field)
    beside = ((("cluster", "dns_failure_refresh_rate", "base_interval"), "5s"),) if field == "max_interval" else ()
    return Probe(f"envoy.config.cluster.v3.Cluster.RefreshRate.{field}", path, value, "dns", beside)


PROBES: tuple[Probe, ...] = (
    _cluster("connect_timeout", "0.2s"),
    _cluster("alt_stat_name", "other"),
    _cluster("per_connection_buffer_limit_bytes", 1),
    _cluster("max_requests_per_connection", 1),
    _cluster("dns_refresh_rate", "0.05s", "dns"),
    _cluster("dns_jitter", "1s", "dns"),
    _cluster("dns_failure_refresh_rate", {"base_interval": "0.05s", "max_interval": "0.1s"}, "dns"),
    _cluster("respect_dns_ttl", True, "dns"),
    _cluster("dns_lookup_family", "V4_ONLY", "dns"),
    _cluster("use_tcp_for_dns_lookups", True, "dns"),
    _cluster("dns_resolvers", [{"socket_address": _DNS}], "dns"),
    _cluster("dns_resolution_config", {"resolvers": [{"socket_address": _DNS}]}, "dns"),
    _cluster(
        "typed_dns_resolver_config",
        {
            "name": "envoy.network.dns_resolver.cares",
            "typed_config": {
                "@type": _TYPE + "envoy.extensions.network.dns_resolver.cares.v3.CaresDnsResolverConfig",
                "resolvers": [{"socket_address": _DNS}],
            },
        },
        "dns",
    ),
    _cluster("wait_for_warm_on_init", False, "dns"),
    _cluster("protocol_selection", "USE_DOWNSTREAM_PROTOCOL"),
    _cluster("close_connections_on_host_health_failure", True),
    _cluster("track_timeout_budgets", True),
    _cluster("preconnect_policy", {"per_upstream_preconnect_ratio": 3.0}),
    _cluster("connection_pool_per_downstream_connection", True),
    _cluster("lrs_report_endpoint_metrics", ["application_utilization"]),
    _cluster("upstream_http_protocol_options", {"auto_sni": True}),
    _cluster("http_protocol_options", {"header_key_format": {"proper_case_words": {}}}),
    _cluster("upstream_bind_config", {"source_address": {"address": "127.0.0.1", "port_value": 0}}),
    _cluster(
        "transport_socket",
        _RAW_BUFFER,
    ),
    _cluster("metadata", {"filter_metadata": {"envoy.lb": {"version": "2.0"}, "other": {"key": [1, None]}}}),
    _cluster("transport_socket_matches", [{"name": "any", "match": {}, "transport_socket": _RAW_BUFFER}]),
    _socket_match("name", "other"),
    _socket_match("match", {"key": "value"}),
    _socket_match("transport_socket", {**_RAW_BUFFER, "name": "other"}),
    _cluster(
        "transport_socket_matcher",
        {
            "on_no_match": {
                "action": {
                    "name": "plain",
                    "typed_config": {
                        "@type": _TYPE
                        + "envoy.extensions.matching.common_inputs.transport_socket.v3.TransportSocketNameAction",
                        "name": "any",
                    },
                }
            }
        },
    ),
    _cluster("upstream_connection_options", {"tcp_keepalive": {"keepalive_time": 1}}),
    _cluster(
        "upstream_config",
        {
            "name": "envoy.upstreams.http.generic",
            "typed_config": {
                "@type": _TYPE + "envoy.extensions.upstreams.http.generic.v3.GenericConnectionPoolProto"
            },
        },
    ),
    _cluster("track_cluster_stats", {"timeout_budgets": True, "request_response_sizes": True}),
    Probe(
        "envoy.config.cluster.v3.Cluster.CommonLbConfig.close_connections_on_host_set_change",
        ("cluster", "common_lb_config", "close_connections_on_host_set_change"),
        True,
    ),
    Probe(
        "envoy.config.cluster.v3.Cluster.PreconnectPolicy.per_upstream_preconnect_ratio",
        ("cluster", "preconnect_policy", "per_upstream_preconnect_ratio"),
        3.0,
    ),
    Probe(
        "envoy.config.cluster.v3.Cluster.PreconnectPolicy.predictive_preconnect_ratio",
        ("cluster", "preconnect_policy", "predictive_preconnect_ratio"),
        3.0,
    ),
    _retry_window("base_interval", "0.05s"),
    _retry_window("max_interval", "6s"),
    Probe(
        "envoy.config.cluster.v3.OutlierDetection.detect_degraded_hosts",
        ("cluster", "outlier_detection", "detect_degraded_hosts"),
        True,
    ),
    _check("reuse_connection", False),
    _check("alt_port", PORT),
    _check("event_log_path", "/dev/null"),
    _check("event_logger", [_FILE_SINK]),
    _check("always_log_health_check_failures", True),
    _check("always_log_health_check_success", True),
    _check("tls_options", {"alpn_protocols": ["h2"]}),
    _check("transport_socket_match_criteria", {"some": "key"}),
    Probe(
        "envoy.config.core.v3.HealthCheck.HttpHealthCheck.request_headers_to_add",
        ("cluster", "health_checks", 0, "http_health_check", "request_headers_to_add"),
        _HEADER,
    ),
    Probe(
        "envoy.config.core.v3.HealthCheck.HttpHealthCheck.request_headers_to_remove",
        ("cluster", "health_checks", 0, "http_health_check", "request_headers_to_remove"),
        ["user-agent"],
    ),
    Probe(
        "envoy.config.core.v3.HealthCheck.HttpHealthCheck.codec_client_type",
        ("cluster", "health_checks", 0, "http_health_check", "codec_client_type"),
        "HTTP1",
    ),
    Probe(
        "envoy.config.core.v3.HealthCheck.TcpHealthCheck.proxy_protocol_config",
        ("cluster", "health_checks", 0, "tcp_health_check", "proxy_protocol_config"),
        {"version": "V1"},
        "tcp",
    ),
    Probe(
        "envoy.config.core.v3.Metadata.typed_filter_metadata",
        ("assignment", "endpoints", 0, "lb_endpoints", 0, "metadata", "typed_filter_metadata"),
        {"envoy.lb": {"@type": _TYPE + "google.protobuf.Struct", "value": {"canary": True}}},
    ),
    Probe(
        "envoy.config.core.v3.RuntimeDouble.runtime_key",
        ("cluster", "round_robin_lb_config", "slow_start_config", "aggression", "runtime_key"),
        "some.key",
        "slow start",
    ),
    Probe(
        "envoy.config.endpoint.v3.Endpoint.HealthCheckConfig.port_value",
        ("assignment", "endpoints", 0, "lb_endpoints", 0, "endpoint", "health_check_config", "port_value"),
        PORT,
    ),
    Probe(
        "envoy.config.endpoint.v3.Endpoint.HealthCheckConfig.hostname",
        ("assignment", "endpoints", 0, "lb_endpoints", 0, "endpoint", "health_check_config", "hostname"),
        "elsewhere",
    ),
    Probe(
        "envoy.config.endpoint.v3.Endpoint.HealthCheckConfig.address",
        ("assignment", "endpoints", 0, "lb_endpoints", 0, "endpoint", "health_check_config", "address"),
        {"socket_address": {"address": "127.9.1.2", "port_value": PORT}},
    ),
    Probe(
        "envoy.config.endpoint.v3.LocalityLbEndpoints.proximity", ("assignment", "endpoints", 1, "proximity"), 7
    ),
    Probe(
        "envoy.config.endpoint.v3.LocalityLbEndpoints.metadata",
        ("assignment", "endpoints", 0, "metadata"),
        {"filter_metadata": {"envoy.lb": {"canary": True}}},
    ),
    _route("name", "some route"),
    _route("metadata", {"filter_metadata": {"other": {"a": "b"}}}),
    _route("decorator", {"operation": "some"}),
    _route("response_headers_to_add", _HEADER),
    _route("response_headers_to_remove", ["server"]),
    _route("tracing", {"random_sampling": {"numerator": 100}}),
    _route("per_request_buffer_limit_bytes", 1),
    _route("request_body_buffer_limit", 1),
    _route("stat_prefix", "some"),
    _action("cluster_not_found_response_code", "NOT_FOUND"),
    _action("flush_timeout", "0.02s"),
    _action(
        "early_data_policy",
        {
            "name": "envoy.route.early_data_policy.default",
            "typed_config": {"@type": _TYPE + "envoy.extensions.early_data.v3.DefaultEarlyDataPolicy"},
        },
    ),
    _action("cors", {"allow_methods": "GET"}),
    _action("grpc_timeout_offset", "0.02s"),
    _action("upgrade_configs", [{"upgrade_type": "websocket"}]),
    Probe(
        "envoy.config.route.v3.WeightedCluster.runtime_key_prefix",
        ("route", "route", "weighted_clusters", "runtime_key_prefix"),
        "some.prefix",
        "weighted",
    ),
    Probe(
        "envoy.config.route.v3.WeightedCluster.total_weight",
        ("route", "route", "weighted_clusters", "total_weight"),
        4,
        "weighted",
    ),
    _weighted("response_headers_to_add", _HEADER),
    _weighted("response_headers_to_remove", ["server"]),
    Probe(
        "envoy.type.matcher.v3.RegexMatcher.google_re2",
        ("route", "match", "safe_regex", "google_re2"),
        {},
        "regex",
    ),
)

# By field: why the probes cannot ask.
NOT_PROBED: dict[str, str] = {
    "envoy.config.cluster.v3.Cluster.http2_protocol_options": "the endpoints of the probes speak HTTP/1.1 alone",
    "envoy.config.cluster.v3.Cluster.filters": "network filters in front of the endpoint, any of which may do anything",
    "envoy.config.cluster.v3.Cluster.lrs_server": "Envoy wants a management server for it",
    "envoy.config.cluster.v3.Cluster.EdsClusterConfig.eds_config": "where endpoints come from; a scenario has them",
    "envoy.config.core.v3.HealthCheck.event_service": "Envoy wants a server to send events to",
    "envoy.config.core.v3.HealthCheck.GrpcHealthCheck.initial_metadata": "the endpoints of the probes speak no gRPC",
}

CHECK = {
    "timeout": "1s",
    "interval": "4s",
    "no_traffic_interval": "4s",
    "unhealthy_threshold": 1,
    "healthy_threshold": 1,
    "http_health_check": {"path": CHECK_PATH},
}
