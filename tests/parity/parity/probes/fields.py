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
    it. `beside`: what else has to be there, on both sides, for the value to be accepted. `moves`: another value of the
    field, which must move requests here: it shows that this world reads the field. Without one WHY_NO_MOVE says why no
    value can move any."""

    field: str
    path: tuple[str | int, ...]
    value: Any
    kind: str = "checked"
    beside: tuple[tuple[tuple[str | int, ...], Any], ...] = ()
    moves: Any = None


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
    path = ("cluster", "health_checks", 0, name)
    return Probe(f"envoy.config.core.v3.HealthCheck.{name}", path, value, kind)


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
        "envoy.config.cluster.v3.Cluster.PreconnectPolicy.preconnect_enabled_metadata",
        ("cluster", "preconnect_policy", "preconnect_enabled_metadata"),
        {"filter": "other", "path": [{"key": "key"}], "value": {"present_match": True}},
    ),
    _cluster("stats_matcher", {"reject_all": True}),
    _cluster("per_connection_buffer_high_watermark_timeout", "0.01s"),
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
        "envoy.config.core.v3.HealthCheck.HttpHealthCheck.use_alpn_protocol",
        ("cluster", "health_checks", 0, "http_health_check", "use_alpn_protocol"),
        True,
    ),
    Probe(
        "envoy.config.core.v3.HealthCheck.HttpHealthCheck.codec_client_type",
        ("cluster", "health_checks", 0, "http_health_check", "codec_client_type"),
        "HTTP1",
        moves="HTTP2",
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
        moves=1,
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
        moves={"socket_address": {"address": "127.9.1.2", "port_value": 1}},
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

_STATISTICS = "names of statistics, logs and traces"
_CONNECTIONS = "how connections are made and kept; endpoints here take as many as come, and no breaker counts them"
_DNS_TIMES = "when names are looked up again; those of the probes are addresses, which stay what they are"
_TLS = "how a connection is secured; the endpoints of the probes speak plain text, and any other socket fails them all"
_ANSWERS = "what is done with an answer, after it was given"
_CHECKS = "what a check sends, logs and reports; endpoints answer checks whatever is in them"
_BODIES = "how much of a body is kept; requests of the probes have none"

# By the end of the field's name: why no value of it could move requests.
WHY_NO_MOVE: dict[str, str] = {
    "Cluster.connect_timeout": "endpoints here take connections at once; one that takes none fails after any time",
    "Cluster.alt_stat_name": _STATISTICS,
    "Cluster.track_timeout_budgets": _STATISTICS,
    "Cluster.track_cluster_stats": _STATISTICS,
    "Cluster.lrs_report_endpoint_metrics": _STATISTICS,
    "Cluster.per_connection_buffer_limit_bytes": _BODIES,
    "Cluster.max_requests_per_connection": _CONNECTIONS,
    "Cluster.preconnect_policy": _CONNECTIONS,
    "PreconnectPolicy.per_upstream_preconnect_ratio": _CONNECTIONS,
    "PreconnectPolicy.predictive_preconnect_ratio": _CONNECTIONS,
    "PreconnectPolicy.preconnect_enabled_metadata": _CONNECTIONS,
    "Cluster.stats_matcher": _STATISTICS,
    "Cluster.per_connection_buffer_high_watermark_timeout": _BODIES,
    "Cluster.connection_pool_per_downstream_connection": _CONNECTIONS,
    "Cluster.close_connections_on_host_health_failure": _CONNECTIONS,
    "CommonLbConfig.close_connections_on_host_set_change": _CONNECTIONS,
    "Cluster.upstream_bind_config": "from which address connections come; endpoints here take all",
    "Cluster.upstream_connection_options": _CONNECTIONS,
    "Cluster.upstream_config": "how a pool is made; the endpoints of the probes speak HTTP/1.1 alone",
    "Cluster.protocol_selection": "the endpoints of the probes and their client speak HTTP/1.1 alone",
    "Cluster.upstream_http_protocol_options": _TLS,
    "Cluster.http_protocol_options": "how headers are spelt; endpoints here read none",
    "Cluster.dns_refresh_rate": _DNS_TIMES,
    "Cluster.dns_jitter": _DNS_TIMES,
    "Cluster.dns_failure_refresh_rate": _DNS_TIMES,
    "RefreshRate.base_interval": _DNS_TIMES,
    "RefreshRate.max_interval": _DNS_TIMES,
    "Cluster.respect_dns_ttl": _DNS_TIMES,
    "Cluster.wait_for_warm_on_init": _DNS_TIMES,
    "Cluster.dns_lookup_family": "which addresses of a name are taken; those of the probes are addresses of version 4",
    "Cluster.use_tcp_for_dns_lookups": "how names are asked for; those of the probes are addresses",
    "Cluster.dns_resolvers": "who is asked for names; those of the probes are addresses",
    "Cluster.dns_resolution_config": "who is asked for names; those of the probes are addresses",
    "Cluster.typed_dns_resolver_config": "who is asked for names; those of the probes are addresses",
    "Cluster.metadata": "of the cluster; subsets read that of endpoints",
    "Cluster.transport_socket": _TLS,
    "Cluster.transport_socket_matches": _TLS,
    "Cluster.transport_socket_matcher": _TLS,
    "TransportSocketMatch.name": _TLS,
    "TransportSocketMatch.match": _TLS,
    "TransportSocketMatch.transport_socket": _TLS,
    "HealthCheck.reuse_connection": _CONNECTIONS,
    "HealthCheck.alt_port": "not implemented in Envoy: even a port where nothing listens moves none",
    "HealthCheck.event_log_path": _CHECKS,
    "HealthCheck.event_logger": _CHECKS,
    "HealthCheck.always_log_health_check_failures": _CHECKS,
    "HealthCheck.always_log_health_check_success": _CHECKS,
    "HealthCheck.tls_options": _TLS,
    "HealthCheck.transport_socket_match_criteria": _TLS,
    "HttpHealthCheck.request_headers_to_add": _CHECKS,
    "HttpHealthCheck.request_headers_to_remove": _CHECKS,
    "HttpHealthCheck.use_alpn_protocol": _TLS,
    "TcpHealthCheck.proxy_protocol_config": _CHECKS,
    "HealthCheckConfig.hostname": _CHECKS,
    "Metadata.typed_filter_metadata": "subsets and hash keys read filter_metadata",
    "RuntimeDouble.runtime_key": "the runtime of the probes has no value; a scenario has none for such keys either",
    "LocalityLbEndpoints.proximity": "read by no balancer",
    "LocalityLbEndpoints.metadata": "of the locality; subsets read that of endpoints",
    "Route.name": _STATISTICS,
    "Route.metadata": "of other filters than envoy.lb",
    "Route.decorator": _STATISTICS,
    "Route.tracing": _STATISTICS,
    "Route.stat_prefix": _STATISTICS,
    "Route.response_headers_to_add": _ANSWERS,
    "Route.response_headers_to_remove": _ANSWERS,
    "Route.per_request_buffer_limit_bytes": _BODIES,
    "Route.request_body_buffer_limit": _BODIES,
    "RouteAction.cluster_not_found_response_code": "the status of requests for a cluster that does not exist",
    "RouteAction.flush_timeout": _ANSWERS,
    "RouteAction.early_data_policy": _TLS,
    "RouteAction.cors": "read by the filter cors alone, which the probes do not have",
    "RouteAction.grpc_timeout_offset": "taken off a timeout of the header grpc-timeout, which no request of a probe has",
    "RouteAction.upgrade_configs": "of requests that ask for an upgrade",
    "WeightedCluster.runtime_key_prefix": "the runtime of the probes has no value",
    "WeightedCluster.total_weight": "the sum, which Envoy takes of the weights themselves",
    "ClusterWeight.response_headers_to_add": _ANSWERS,
    "ClusterWeight.response_headers_to_remove": _ANSWERS,
    "RegexMatcher.google_re2": "an empty message that chooses the only engine",
}


def why_no_move(probe: Probe) -> str:
    """The reason; empty if the probe has a value that moves requests, or no reason is written."""
    parts = probe.field.rsplit(".", 2)
    return "" if probe.moves is not None else WHY_NO_MOVE.get(".".join(parts[-2:]), "")


CHECK = {
    "timeout": "1s",
    "interval": "4s",
    "no_traffic_interval": "4s",
    "unhealthy_threshold": 1,
    "healthy_threshold": 1,
    "http_health_check": {"path": CHECK_PATH},
}
