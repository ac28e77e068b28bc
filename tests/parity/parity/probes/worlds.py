"""The bootstrap of a set of probes: for each the same cluster twice, without the field and with it, under two policies.

Eight endpoints in two localities: the third answers 503, the fourth fails its checks, the fifth takes 60 ms.
"""

import copy
import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from parity.probes.fields import CHECK, Probe
from parity.timelines.endpoints import Command
from parity.timelines.script import PORT, Behaviour

Json = dict[str, Any]

HOSTS = 8
SLOW_SECONDS = 0.06
POLICIES = ("RING_HASH", "ROUND_ROBIN")
ADDRESSES = tuple(f"127.9.1.{number}" for number in range(1, HOSTS + 1))
COMMANDS: tuple[Command, ...] = (
    (0.0, ADDRESSES[2], Behaviour(fails=1.0, fails_with=503)),
    (0.0, ADDRESSES[3], Behaviour(checks="unhealthy")),
    (0.0, ADDRESSES[4], Behaviour(delay=SLOW_SECONDS)),
)


def variants_of(probe: Probe) -> tuple[str, ...]:
    """Without the field, with it, and with the value that moves requests, if there is one."""
    return ("without", "with") if probe.moves is None else ("without", "with", "moved")


def name_of(probe: int, policy: str, variant: str) -> str:
    """Of a cluster, and what requests to it say in their host header."""
    return f"probe-{probe}-{policy.lower()}-{variant}"


def write_world(probes: Sequence[Probe], folder: Path, port: int) -> None:
    """`bootstrap.json`, with load assignments as files beside it; the admin's port is the next one."""
    folder.mkdir(parents=True, exist_ok=True)
    clusters: list[Json] = []
    hosts: list[Json] = []
    for number, probe in enumerate(probes):
        for policy in POLICIES:
            for variant in variants_of(probe):
                name = name_of(number, policy, variant)
                parts = _parts(probe, policy, variant, name)
                cluster = parts["cluster"]
                clusters.append(cluster)
                if cluster["type"] == "EDS":
                    file = folder / f"{name}.json"
                    resource = {"@type": f"{_API}endpoint.v3.ClusterLoadAssignment", **parts["assignment"]}
                    file.write_text(json.dumps({"version_info": "1", "resources": [resource]}))
                    cluster["eds_cluster_config"] = {"eds_config": {"path_config_source": {"path": str(file)}}}
                else:
                    cluster["load_assignment"] = parts["assignment"]
                hosts.append({"name": name, "domains": [name], "routes": [parts["route"]]})
    bootstrap = {
        "node": {"id": "probes", "cluster": "probes"},
        "admin": {"address": _address("127.0.0.1", port + 1)},
        "static_resources": {"listeners": [_listener(hosts, port)], "clusters": clusters},
    }
    (folder / "bootstrap.json").write_text(json.dumps(bootstrap, indent=1))


_API = "type.googleapis.com/envoy.config."


def _parts(probe: Probe, policy: str, variant: str, name: str) -> dict[str, Json]:
    cluster: Json = {
        "name": name,
        "type": "STRICT_DNS" if probe.kind == "dns" else "EDS",
        "connect_timeout": "5s",
        "lb_policy": policy,
        "common_lb_config": {"update_merge_window": "0s"},
        "health_checks": [copy.deepcopy(CHECK)],
        "outlier_detection": {"enforcing_consecutive_5xx": 0, "enforcing_success_rate": 0},
    }
    if probe.kind == "unchecked":
        del cluster["health_checks"]
    if probe.kind == "tcp":
        del cluster["health_checks"][0]["http_health_check"]
        cluster["health_checks"][0]["tcp_health_check"] = {}
    if probe.kind == "slow start" and policy == "ROUND_ROBIN":
        cluster["round_robin_lb_config"] = {
            "slow_start_config": {"slow_start_window": "0.5s", "aggression": {"default_value": 1.0, "runtime_key": "no"}}
        }
    places = [
        {"endpoint": {"address": _address(ip, PORT)}, "load_balancing_weight": 1 + number % 2}
        for number, ip in enumerate(ADDRESSES)
    ]
    assignment: Json = {
        "cluster_name": name,
        "endpoints": [
            {"locality": {"zone": "a"}, "lb_endpoints": places[:4]},
            {"locality": {"zone": "b"}, "lb_endpoints": places[4:]},
        ],
    }
    action: Json = {"cluster": name, "timeout": "5s", "hash_policy": [{"header": {"header_name": "x-key"}}]}
    if probe.kind == "weighted":
        del action["cluster"]
        action["weighted_clusters"] = {
            "clusters": [{"name": name, "weight": 4}, {"name": "no-such-cluster", "weight": 0}]
        }
    match: Json = {"safe_regex": {"regex": "/.*"}} if probe.kind == "regex" else {"prefix": "/"}
    parts: dict[str, Json] = {"cluster": cluster, "assignment": assignment, "route": {"match": match, "route": action}}
    for path, value in probe.beside:
        _set(parts, path, value)
    # A policy's own settings exist in clusters of this policy alone.
    if variant != "without" and not ("round_robin_lb_config" in probe.path and policy != "ROUND_ROBIN"):
        _set(parts, probe.path, probe.moves if variant == "moved" else probe.value)
    return parts


def _set(parts: Any, path: Sequence[str | int], value: Any) -> None:
    for position, step in enumerate(path[:-1]):
        if isinstance(step, str) and step not in parts:
            parts[step] = [] if isinstance(path[position + 1], int) else {}
        parts = parts[step]
    parts[path[-1]] = copy.deepcopy(value)


def _address(ip: str, port: int) -> Json:
    return {"socket_address": {"address": ip, "port_value": port}}


def _listener(hosts: list[Json], port: int) -> Json:
    router = {"@type": "type.googleapis.com/envoy.extensions.filters.http.router.v3.Router"}
    manager = {
        "@type": "type.googleapis.com/envoy.extensions.filters.network.http_connection_manager.v3."
        "HttpConnectionManager",
        "stat_prefix": "inbound",
        "route_config": {
            "validate_clusters": False,
            "response_headers_to_add": [{"header": {"key": "x-host", "value": "%UPSTREAM_HOST%"}}],
            "virtual_hosts": hosts,
        },
        "http_filters": [{"name": "envoy.filters.http.router", "typed_config": router}],
    }
    return {
        "name": "inbound",
        "address": _address("127.0.0.1", port),
        "filter_chains": [{"filters": [{"name": "envoy.http_connection_manager", "typed_config": manager}]}],
    }
