"""Random meshes of Kuma's documents as scenarios: the same seed and number give the same mesh.

Zones, services of every protocol, a Dataplane `web` with an outbound for each of them, policies of both releases
(routes by path, method, header and query to several backends, some of which do not exist; strategies with every
balancer, hash policies, affinity and failover; retries, timeouts, breakers) and requests that differ in all of that.
"""

import random
from typing import Any

Json = dict[str, Any]

PROTOCOLS = ("http", "http", "http2", "grpc", "tcp")
PATHS = ("/", "/api", "/api/", "/api/v1", "/api/v1/z", "/x", "/x/../api", "//api", "/API", "/apix", "/x%2Fy")
VALUES = ("w", "x")
# The header by which the scenario's own routes choose the outbound; Kuma's listeners do not look at it.
TO = "x-to"


def generate_mesh(seed: int, index: int) -> Json:
    """One scenario."""
    draw = random.Random(f"kuma/{seed}/{index}")
    head = draw.random() < 0.6
    services = ["a", "b", "c"][: draw.randint(1, 3)]
    zones = ["z1", "z2", "z3"][: 1 if head else draw.choice([1, 2, 3])]
    resources, of = _resources(head, services, zones, draw)
    policies = [_http_route(head, f"r{number}", of, draw) for number in range(draw.randint(0, 3))]
    policies += [_tcp_route(head, "t0", of, draw) for _ in range(draw.randint(0, 1))]
    policies += [_strategy(head, f"lb{number}", services, zones, draw) for number in range(draw.randint(0, 3))]
    policies += [_plain(head, kind, services, draw) for kind in _PLAIN if draw.random() < 0.4]
    return {
        "name": f"kuma {seed}/{index}",
        "duration": "10s",
        "mode": "exact",
        "profile": {"kuma": "head" if head else "release-2.14"},
        "zones": [{"name": zone} for zone in zones],
        "resources": resources,
        "policies": policies,
        "routes": [
            {
                "match": {"prefix": "/", "headers": [{"name": TO, "string_match": {"exact": service}}]},
                "route": {"cluster": service},
            }
            for service in services
        ],
        "clients": [
            {
                "name": "web",
                "zone": "z1",
                "workload": {"rate": "1000rps", "requests": _requests(services, index, draw)},
            }
        ],
    }


def _requests(services: list[str], index: int, draw: random.Random) -> list[Json]:
    requests: list[Json] = []
    for service in services:
        for path in draw.sample(PATHS, 3):
            name = f"{service}-{len(requests)}"
            query = draw.choice(["", "", f"?q={index}-{len(requests)}", "?flag=1", "?flag=1&q=7"])
            headers = {TO: service, ":method": draw.choice(["GET", "GET", "POST"]), "x-v": draw.choice("123")}
            if draw.random() < 0.8:
                headers["x-k"] = f"k{draw.randint(0, 999)}"
            if draw.random() < 0.3:
                headers["cookie"] = f"other=1; c={draw.randint(0, 999)}"
            requests.append({"name": name, "path": path + query, "headers": headers})
    return requests


def _resources(head: bool, services: list[str], zones: list[str], draw: random.Random) -> tuple[list[Json], Json]:
    mtls = {"enabledBackend": "ca", "backends": [{"name": "ca", "type": "builtin"}]}
    resources: list[Json] = [{"type": "Mesh", "name": "default", "mtls": mtls}]
    number = 0
    protocols: Json = {}
    for service in services:
        protocols[service] = draw.choice(PROTOCOLS)
        for zone in zones:
            for _ in range(draw.randint(1 if zone == "z1" else 0, 4)):
                number += 1
                resources.append(_dataplane(head, f"{service}{number}", service, zone, protocols[service], draw))
        if head:
            resources.append(_mesh_service(service, protocols[service]))
    resources.append(_client(head, services, draw))
    return resources, protocols


def _labels(zone: str, draw: random.Random, service: str) -> Json:
    labels = {"kuma.io/origin": "zone", "kuma.io/zone": zone, "app": service}
    labels.update({key: draw.choice(VALUES) for key in ("rack", "node") if draw.random() < 0.8})
    return labels


def _dataplane(head: bool, name: str, service: str, zone: str, protocol: str, draw: random.Random) -> Json:
    labels = _labels(zone, draw, service)
    inbound: Json = {"port": 8080, "name": "main"}
    if not head:
        tags = {"kuma.io/service": service, "kuma.io/zone": zone, "kuma.io/protocol": protocol}
        tags["v"] = draw.choice(["1a", "2b"])
        tags.update({key: labels.pop(key) for key in ("rack", "node") if key in labels})
        inbound["tags"] = tags
    number = int("".join(filter(str.isdigit, name)) or 0)
    return {
        "type": "Dataplane",
        "mesh": "default",
        "name": name,
        "labels": labels,
        "networking": {"address": f"10.0.0.{1 + number}", "inbound": [inbound]},
    }


def _client(head: bool, services: list[str], draw: random.Random) -> Json:
    client = _dataplane(head, "web", "web", "z1", "http", draw)
    outbounds: list[Json] = []
    for port, service in enumerate(services, 9000):
        target: Json = {"tags": {"kuma.io/service": service}}
        if head:
            target = {"backendRef": {"kind": "MeshService", "name": service, "port": 8080}}
        outbounds.append({"port": port, "address": "127.0.0.1", **target})
    client["networking"]["outbound"] = outbounds
    return client


def _mesh_service(service: str, protocol: str) -> Json:
    port = {"port": 8080, "name": "main", "targetPort": 8080, "appProtocol": protocol}
    return {
        "type": "MeshService",
        "mesh": "default",
        "name": service,
        "labels": {"kuma.io/display-name": service, "kuma.io/origin": "zone", "kuma.io/zone": "z1"},
        "spec": {"selector": {"dataplaneLabels": {"matchLabels": {"app": service}}}, "ports": [port]},
        "status": {},
    }


def _policy(head: bool, kind: str, name: str, to: list[Json], draw: random.Random) -> Json:
    top = [{"kind": "Mesh"}, {"kind": "Mesh"}]
    if head:
        top += [{"kind": "Dataplane"}, {"kind": "Dataplane", "labels": {"app": "web"}}]
        top.append({"kind": "Dataplane", "labels": {"rack": draw.choice(VALUES)}})
    else:
        top += [{"kind": "MeshService", "name": "web"}, {"kind": "MeshSubset", "tags": {"rack": draw.choice(VALUES)}}]
        top.append({"kind": "MeshServiceSubset", "name": "web", "tags": {"rack": draw.choice(VALUES)}})
    policy: Json = {"type": kind, "mesh": "default", "name": name}
    if head:
        policy["labels"] = {"kuma.io/display-name": name}
    return {**policy, "spec": {"targetRef": draw.choice(top), "to": to}}


def _service_ref(head: bool, service: str) -> Json:
    if head:
        return {"kind": "MeshService", "labels": {"kuma.io/display-name": service}}
    return {"kind": "MeshService", "name": service}


def _http_route(head: bool, name: str, of: Json, draw: random.Random) -> Json:
    to: list[Json] = []
    for service in draw.sample(sorted(of), draw.randint(1, len(of))):
        rules: list[Json] = []
        for match in draw.sample(_matches(draw), draw.randint(1, 3)):
            default: Json = {}
            if draw.random() < 0.85:
                default["backendRefs"] = [_backend(head, of, draw) for _ in range(draw.randint(1, 3))]
            rules.append({"matches": [match], "default": default})
        if draw.random() < 0.3:
            rules[0]["matches"].append(draw.choice(_matches(draw)))
        to.append({"targetRef": _service_ref(head, service), "rules": rules})
    return _policy(head, "MeshHTTPRoute", name, to, draw)


def _matches(draw: random.Random) -> list[Json]:
    value = draw.choice(["/api", "/api/v1", "/x", "/"])
    return [
        {"path": {"type": "Exact", "value": value}},
        {"path": {"type": "PathPrefix", "value": value}},
        {"path": {"type": "RegularExpression", "value": draw.choice(["/api.*", "/x/?[a-z]*", "/[xy]+"])}},
        {"method": draw.choice(["GET", "POST"])},
        {"path": {"type": "PathPrefix", "value": value}, "method": "GET"},
        {"headers": [{"type": "Exact", "name": "x-v", "value": "2"}]},
        {"headers": [{"type": "RegularExpression", "name": "x-v", "value": "[12]"}]},
        {"headers": [{"type": "Present", "name": "x-k"}]},
        {"headers": [{"type": "Absent", "name": "x-k"}]},
        {"headers": [{"type": "Prefix", "name": "x-k", "value": "k1"}]},
        {"queryParams": [{"type": "Exact", "name": "flag", "value": "1"}]},
        {"queryParams": [{"type": "RegularExpression", "name": "q", "value": "[0-9]"}], "method": "GET"},
    ]


def _backend(head: bool, of: Json, draw: random.Random) -> Json:
    service = draw.choice([*of, *of, *of, "none-such"])
    reference: Json = _service_ref(head, service)
    if head:
        reference["port"] = draw.choice([8080, 8080, 8080, 81])
    elif draw.random() < 0.4:
        reference = {"kind": "MeshServiceSubset", "name": service, "tags": {"v": draw.choice(["1a", "2b", "zz"])}}
    if draw.random() < 0.7:
        reference["weight"] = draw.choice([0, 1, 1, 2, 3, 9])
    return reference


def _tcp_route(head: bool, name: str, of: Json, draw: random.Random) -> Json:
    service = draw.choice(sorted(of))
    backends = [_backend(head, of, draw) for _ in range(draw.randint(1, 2))]
    item = {"targetRef": _service_ref(head, service), "rules": [{"default": {"backendRefs": backends}}]}
    return _policy(head, "MeshTCPRoute", name, [item], draw)


def _strategy(head: bool, name: str, services: list[str], zones: list[str], draw: random.Random) -> Json:
    to: list[Json] = []
    for service in draw.sample(["", *services], draw.randint(1, 2)):
        conf: Json = {}
        if draw.random() < 0.7:
            conf["loadBalancer"] = draw.choice(
                [
                    {"type": "RoundRobin"},
                    {"type": "Random"},
                    {"type": "LeastRequest", "leastRequest": {"choiceCount": 3}},
                    {"type": "RingHash", "ringHash": {"minRingSize": 64, "maxRingSize": 1024}},
                    {"type": "Maglev", "maglev": {"tableSize": 1009}},
                ]
            )
        if draw.random() < 0.5:
            conf["hashPolicies"] = draw.sample(
                [
                    {"type": "Header", "header": {"name": "x-k"}},
                    {"type": "Header", "header": {"name": "x-v"}, "terminal": True},
                    {"type": "Cookie", "cookie": {"name": "c"}},
                    {"type": "QueryParameter", "queryParameter": {"name": "q"}},
                ],
                draw.randint(1, 2),
            )
        if draw.random() < 0.5:
            conf["localityAwareness"] = _awareness(zones, bool(service) and head, draw)
        to.append({"targetRef": _service_ref(head, service) if service else {"kind": "Mesh"}, "default": conf})
    return _policy(head, "MeshLoadBalancingStrategy", name, to, draw)


def _awareness(zones: list[str], local_only: bool, draw: random.Random) -> Json:
    awareness: Json = {}
    if draw.random() < 0.2:
        return {"disabled": True}
    if draw.random() < 0.7:
        keys = draw.sample(["rack", "node"], draw.randint(1, 2))
        weighed = draw.random() < 0.5
        awareness["localZone"] = {
            "affinityTags": [{"key": key, "weight": draw.randint(1, 9)} if weighed else {"key": key} for key in keys]
        }
    if len(zones) > 1 and not local_only and draw.random() < 0.7:
        rules = [{"type": "Any"}, {"type": "None"}, {"type": "Only", "zones": [draw.choice(zones)]}]
        awareness["crossZone"] = {"failover": [{"to": rule} for rule in draw.sample(rules, draw.randint(1, 2))]}
    return awareness


_PLAIN: dict[str, Json] = {
    "MeshRetry": {"http": {"numRetries": 2, "retryOn": ["5xx"]}, "tcp": {"maxConnectAttempt": 2}},
    "MeshTimeout": {"connectionTimeout": "3s", "idleTimeout": "1h", "http": {"requestTimeout": "7s"}},
    "MeshCircuitBreaker": {"connectionLimits": {"maxConnections": 512, "maxRequests": 300}},
}


def _plain(head: bool, kind: str, services: list[str], draw: random.Random) -> Json:
    service = draw.choice(["", *services])
    target = _service_ref(head, service) if service else {"kind": "Mesh"}
    return _policy(head, kind, f"{kind.lower()}-0", [{"targetRef": target, "default": _PLAIN[kind]}], draw)
