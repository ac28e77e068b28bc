"""The bootstrap of one Envoy that takes the requests of several timelines, each to a cluster of its own."""

import copy
import json
import os
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from parity.timelines.script import CHECK_PATH, PORT, Script, Told

Json = dict[str, Any]

OUTLIER_LOG = "outliers.log"
CHECK_LOG = "checks.log"


def authority_of(position: int) -> str:
    """What requests of the timeline at this position say in their host header; its cluster has this name, too."""
    return f"timeline-{position}"


def write_bootstrap(scripts: Sequence[Script], folder: Path, port: int) -> None:
    """Into `folder`, with the load assignments of the start; the admin's port is the next one."""
    folder.mkdir(parents=True, exist_ok=True)
    bootstrap: Json = {
        "node": {"id": "timelines", "cluster": "timelines"},
        "admin": {"address": _address("127.0.0.1", port + 1)},
        "cluster_manager": {"outlier_detection": {"event_log_path": str(folder / OUTLIER_LOG)}},
        "static_resources": {
            "listeners": [_listener(scripts, port)],
            "clusters": [_cluster(script, position, folder) for position, script in enumerate(scripts)],
        },
    }
    for position, script in enumerate(scripts):
        push(script, position, script.pushes[0][1], folder)
    (folder / "bootstrap.json").write_text(json.dumps(bootstrap, indent=1))


def push(script: Script, position: int, told: Mapping[str, Told], folder: Path) -> None:
    """Writes what the proxy is reported health, in one step."""
    assignment: Json = {
        "@type": "type.googleapis.com/envoy.config.endpoint.v3.ClusterLoadAssignment",
        "cluster_name": authority_of(position),
        "endpoints": [],
    }
    groups: dict[tuple[int, str], Json] = {}
    for host in script.hosts:
        key = (told[host.name].priority, host.zone)
        if key not in groups:
            groups[key] = {"locality": {"zone": host.zone}, "priority": key[0], "lb_endpoints": []}
            assignment["endpoints"].append(groups[key])
        if told[host.name].listed:
            groups[key]["lb_endpoints"].append(
                {
                    "endpoint": {"address": _address(host.ip, PORT)},
                    "health_status": told[host.name].health,
                    "load_balancing_weight": host.weight,
                }
            )
    written = folder / f"new-{authority_of(position)}.json"
    written.write_text(json.dumps({"version_info": "1", "resources": [assignment]}))
    os.replace(written, _assignment_file(position, folder))


def _assignment_file(position: int, folder: Path) -> Path:
    return folder / f"{authority_of(position)}.json"


def _address(ip: str, port: int) -> Json:
    return {"socket_address": {"address": ip, "port_value": port}}


def _cluster(script: Script, position: int, folder: Path) -> Json:
    cluster: Json = copy.deepcopy(script.cluster)
    cluster["name"] = authority_of(position)
    cluster["type"] = "EDS"
    cluster["connect_timeout"] = "1s"
    cluster["eds_cluster_config"] = {
        "eds_config": {"path_config_source": {"path": str(_assignment_file(position, folder))}}
    }
    for check in cluster.get("health_checks", []):
        if "http_health_check" in check:
            check["http_health_check"]["path"] = CHECK_PATH
        check["event_logger"] = [
            {
                "name": "envoy.health_check.event_sink.file",
                "typed_config": {
                    "@type": "type.googleapis.com/envoy.extensions.health_check.event_sinks.file.v3."
                    "HealthCheckEventFileSink",
                    "event_log_path": str(folder / CHECK_LOG),
                },
            }
        ]
    return cluster


def _listener(scripts: Sequence[Script], port: int) -> Json:
    router = {"@type": "type.googleapis.com/envoy.extensions.filters.http.router.v3.Router"}
    # Keeps none but where a route says how.
    sessions = {"@type": "type.googleapis.com/envoy.extensions.filters.http.stateful_session.v3.StatefulSession"}
    manager = {
        "@type": "type.googleapis.com/envoy.extensions.filters.network.http_connection_manager.v3."
        "HttpConnectionManager",
        "stat_prefix": "inbound",
        "route_config": {
            "response_headers_to_add": [
                {"header": {"key": "x-host", "value": "%UPSTREAM_HOST%"}, "keep_empty_value": True},
                {"header": {"key": "x-response-flags", "value": "%RESPONSE_FLAGS%"}, "keep_empty_value": True},
                {"header": {"key": "x-response-details", "value": "%RESPONSE_CODE_DETAILS%"}, "keep_empty_value": True},
            ],
            "virtual_hosts": [
                {
                    "name": authority_of(position),
                    "domains": [authority_of(position)],
                    "routes": [
                        {
                            **script.route,
                            "match": {"prefix": "/"},
                            "route": {**script.route["route"], "cluster": authority_of(position)},
                        }
                    ],
                }
                for position, script in enumerate(scripts)
            ],
        },
        "http_filters": [
            {"name": "envoy.filters.http.stateful_session", "typed_config": sessions},
            {"name": "envoy.filters.http.router", "typed_config": router},
        ],
    }
    return {
        "name": "inbound",
        "address": _address("127.0.0.1", port),
        "filter_chains": [{"filters": [{"name": "envoy.http_connection_manager", "typed_config": manager}]}],
    }
