"""The proxy that is observed: a route for each cluster, an access log of one of its two listeners, EDS by files."""

import json
from pathlib import Path
from typing import Any

from parity.observing.worlds import World

API = "type.googleapis.com/envoy.extensions"
ZONES = ("zone-1", "zone-2", "zone-3")


def bootstrap(worlds: list[World], port: int, upstream: int) -> dict[str, Any]:
    """Listeners: `port` of the first client, `port` + 2 of the second one, `upstream` of all endpoints."""
    return {
        "node": {"id": "observed", "cluster": "parity", "locality": {"region": "r", "zone": "zone-1"}},
        "admin": {"address": _address("127.0.0.1", port + 1)},
        "cluster_manager": {"local_cluster_name": "callers"},
        "static_resources": {
            "clusters": [_callers(port), *(world.cluster for world in worlds)],
            "listeners": [
                _listener("first", "127.0.0.1", port, [_route(world) for world in worlds], log="access.log"),
                _listener("second", "127.0.0.1", port + 2, [_route(world, "canary") for world in worlds]),
                _listener("upstream", "0.0.0.0", upstream, [_answer()]),
            ],
        },
    }


def discovery_response(assignment: dict[str, Any], version: int) -> dict[str, Any]:
    kind = "type.googleapis.com/envoy.config.endpoint.v3.ClusterLoadAssignment"
    return {"version_info": str(version), "resources": [{"@type": kind, **assignment}]}


def _address(address: str, port: int) -> dict[str, Any]:
    return {"socket_address": {"address": address, "port_value": port}}


def _callers(port: int) -> dict[str, Any]:
    entries = [
        {
            "locality": {"region": "r", "zone": zone},
            "lb_endpoints": [{"endpoint": {"address": _address(f"127.9.0.{number + 1}", port)}}],
        }
        for number, zone in enumerate(ZONES)
    ]
    return {"name": "callers", "type": "STATIC", "load_assignment": {"cluster_name": "callers", "endpoints": entries}}


def _route(world: World, stage: str | None = None) -> dict[str, Any]:
    action: dict[str, Any] = {"cluster": world.name, "timeout": "10s"}
    if stage is not None:
        action["metadata_match"] = {"filter_metadata": {"envoy.lb": {"stage": stage}}}
    return {"match": {"prefix": f"/{world.name}/"}, "route": action}


def _answer() -> dict[str, Any]:
    return {"match": {"prefix": "/"}, "direct_response": {"status": 200}}


def _listener(
    name: str, address: str, port: int, routes: list[dict[str, Any]], log: str | None = None
) -> dict[str, Any]:
    manager: dict[str, Any] = {
        "@type": f"{API}.filters.network.http_connection_manager.v3.HttpConnectionManager",
        "stat_prefix": name,
        "route_config": {"virtual_hosts": [{"name": name, "domains": ["*"], "routes": routes}]},
        "http_filters": [
            {
                "name": "envoy.filters.http.router",
                "typed_config": {"@type": f"{API}.filters.http.router.v3.Router"},
            }
        ],
    }
    if log is not None:
        fields = {"upstream_cluster": "%UPSTREAM_CLUSTER%", "upstream_host": "%UPSTREAM_HOST%"}
        config = {"@type": f"{API}.access_loggers.file.v3.FileAccessLog", "path": log}
        manager["access_log"] = [
            {"name": "envoy.access_loggers.file", "typed_config": {**config, "log_format": {"json_format": fields}}}
        ]
    chain = {"filters": [{"name": "envoy.filters.network.http_connection_manager", "typed_config": manager}]}
    return {"name": name, "address": _address(address, port), "filter_chains": [chain]}


def write_assignment(folder: Path, name: str, assignment: dict[str, Any], version: int) -> None:
    """By rename, which is what Envoy watches for."""
    path = folder / "eds" / f"{name}.json"
    fresh = path.with_suffix(".new")
    fresh.write_text(json.dumps(discovery_response(assignment, version)))
    fresh.rename(path)
