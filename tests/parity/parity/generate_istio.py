"""Random meshes of Istio's and Kubernetes' documents as scenario files: the same seed and number give the same files.

Pods in zones of one or two regions, services with slices, DestinationRules of every kind of locality setting and load
balancer, VirtualServices with weights, subsets and matches by path, header and query, clients in several zones, and
pods that become unready and ready again. Nothing fails, so that shares have a closed form wherever the policy has one.
"""

import json
import random
from pathlib import Path
from typing import Any

Json = dict[str, Any]

REGION = "topology.kubernetes.io/region"
ZONE = "topology.kubernetes.io/zone"
PLACES = (("r1", "z1"), ("r1", "z2"), ("r2", "z3"), ("r2", "z4"))
VERSIONS = ("v1", "v2", "v3")
DURATION = 12


def write_meshes(folder: Path, number: int, seed: int) -> list[Path]:
    """So many scenario files; mesh N is the same for every number above N."""
    folder.mkdir(parents=True, exist_ok=True)
    files: list[Path] = []
    for index in range(number):
        file = folder / f"istio-{seed}-{index}.json"
        file.write_text(json.dumps(generate_mesh(seed, index), indent=1) + "\n")
        files.append(file)
    return files


def generate_mesh(seed: int, index: int) -> Json:
    """One scenario."""
    draw = random.Random(f"istio/{seed}/{index}")
    places = list(PLACES[: draw.randint(2, len(PLACES))])
    services = ["web"] + (["api"] if draw.random() < 0.4 else [])
    resources: list[Json] = [_node(place) for place in places]
    pods: dict[str, list[str]] = {}
    for number, service in enumerate(services):
        own = _pods(service, number + 1, places, draw)
        pods[service] = [pod["metadata"]["name"] for pod in own]
        resources += [*own, _service(service, number + 1, draw), _slice(service, own)]
        subsets = draw.random() < 0.5
        rule = _rule(service, subsets, places, draw)
        resources.append(rule)
        if draw.random() < 0.6:
            resources.append(_virtual_service(service, subsets, draw))
    scenario: Json = {
        "name": f"istio {seed}/{index}",
        "duration": f"{DURATION}s",
        "mode": "exact",
        "profile": {"istio": draw.choice(["release-1.31", "release-1.31", "release-1.30"])},
        "resources": resources,
        "clients": _clients(services, places, draw),
        "timeline": _readiness(pods, draw),
    }
    return scenario


def _node(place: tuple[str, str]) -> Json:
    region, zone = place
    return {
        "apiVersion": "v1",
        "kind": "Node",
        "metadata": {"name": f"node-{zone}", "labels": {REGION: region, ZONE: zone}},
    }


def _pods(service: str, number: int, places: list[tuple[str, str]], draw: random.Random) -> list[Json]:
    pods: list[Json] = []
    for place, (_, zone) in enumerate(places):
        for _ in range(draw.randint(1 if place == 0 else 0, 4)):
            name = f"{service}-{len(pods) + 1}"
            labels = {"app": service, "version": draw.choice(VERSIONS[:2])}
            pods.append(
                {
                    "apiVersion": "v1",
                    "kind": "Pod",
                    "metadata": {"name": name, "labels": labels},
                    "spec": {"nodeName": f"node-{zone}"},
                    "status": {"podIP": f"10.{number}.{place}.{len(pods) + 1}"},
                }
            )
    for version, pod in zip(VERSIONS[:2], pods, strict=False):
        pod["metadata"]["labels"]["version"] = version
    return pods


def _service(service: str, number: int, draw: random.Random) -> Json:
    spec: Json = {"clusterIP": f"10.200.0.{number}", "ports": [{"name": "http", "port": 80}]}
    if draw.random() < 0.15:
        spec["trafficDistribution"] = "PreferClose"
    return {"apiVersion": "v1", "kind": "Service", "metadata": {"name": service}, "spec": spec}


def _slice(service: str, pods: list[Json]) -> Json:
    return {
        "apiVersion": "discovery.k8s.io/v1",
        "kind": "EndpointSlice",
        "metadata": {"name": f"{service}-1", "labels": {"kubernetes.io/service-name": service}},
        "ports": [{"name": "http", "port": 8080}],
        "endpoints": [
            {
                "addresses": [pod["status"]["podIP"]],
                "conditions": {"ready": True},
                "targetRef": {"kind": "Pod", "name": pod["metadata"]["name"]},
            }
            for pod in pods
        ],
    }


def _rule(service: str, subsets: bool, places: list[tuple[str, str]], draw: random.Random) -> Json:
    policy: Json = {}
    balancer = _balancer(draw)
    setting = _locality_setting(places, draw)
    if setting is not None:
        balancer["localityLbSetting"] = setting
    if balancer:
        policy["loadBalancer"] = balancer
    if draw.random() < 0.7:
        policy["outlierDetection"] = {"maxEjectionPercent": 100}
    spec: Json = {"host": service, "trafficPolicy": policy or {"outlierDetection": {"maxEjectionPercent": 100}}}
    if subsets:
        spec["subsets"] = [{"name": version, "labels": {"version": version}} for version in VERSIONS[:2]]
        if draw.random() < 0.3:
            spec["subsets"][0]["trafficPolicy"] = {"loadBalancer": {"simple": "RANDOM"}}
    return {
        "apiVersion": "networking.istio.io/v1",
        "kind": "DestinationRule",
        "metadata": {"name": service},
        "spec": spec,
    }


def _balancer(draw: random.Random) -> Json:
    kind = draw.choice(["", "ROUND_ROBIN", "RANDOM", "LEAST_REQUEST", "hash"])
    if kind == "hash":
        hashed: Json = draw.choice([{"httpHeaderName": "x-user"}, {"httpQueryParameterName": "user"}])
        if draw.random() < 0.5:
            hashed["maglev"] = {"tableSize": 1009}
        return {"consistentHash": hashed}
    return {"simple": kind} if kind else {}


def _locality_setting(places: list[tuple[str, str]], draw: random.Random) -> Json | None:
    kind = draw.choice(["none", "default", "failover", "priority", "distribute", "disabled"])
    if kind == "none":
        return None
    if kind == "disabled":
        return {"enabled": False}
    regions = sorted({region for region, _ in places})
    if kind == "failover" and len(regions) > 1:
        return {"enabled": True, "failover": [{"from": regions[0], "to": regions[1]}]}
    if kind == "priority":
        return {"enabled": True, "failoverPriority": draw.choice([[REGION], [REGION, ZONE], [ZONE]])}
    if kind == "distribute":
        region, zone = places[0]
        to = [f"{other_region}/{other}/*" for other_region, other in places]
        parts = sorted(draw.sample(range(1, 20), len(to) - 1))
        bounds = [0, *parts, 20]
        weights = [5 * (high - low) for low, high in zip(bounds, bounds[1:], strict=False)]
        return {
            "enabled": True,
            "distribute": [{"from": f"{region}/{zone}/*", "to": dict(zip(to, weights, strict=True))}],
        }
    return {"enabled": True}


def _virtual_service(service: str, subsets: bool, draw: random.Random) -> Json:
    routes: list[Json] = []
    for match in draw.sample(_matches(), draw.randint(0, 3)):
        routes.append({"match": [match], "route": _destinations(service, subsets, draw)})
    routes.append({"route": _destinations(service, subsets, draw)})
    return {
        "apiVersion": "networking.istio.io/v1",
        "kind": "VirtualService",
        "metadata": {"name": service},
        "spec": {"hosts": [service], "http": routes},
    }


def _matches() -> list[Json]:
    return [
        {"headers": {"x-user": {"exact": "beta"}}},
        {"headers": {"x-user": {"prefix": "u"}}},
        {"uri": {"prefix": "/beta"}},
        {"queryParams": {"beta": {"exact": "1"}}},
        {"queryParams": {"beta": {"regex": "[0-9]+"}}, "uri": {"prefix": "/"}},
    ]


def _destinations(service: str, subsets: bool, draw: random.Random) -> list[Json]:
    if not subsets:
        return [{"destination": {"host": service}}]
    if draw.random() < 0.4:
        return [{"destination": {"host": service, "subset": draw.choice(VERSIONS[:2])}}]
    first = draw.choice([10, 25, 50, 75])
    return [
        {"destination": {"host": service, "subset": version}, "weight": weight}
        for version, weight in zip(VERSIONS, (first, 100 - first), strict=False)
    ]


def _clients(services: list[str], places: list[tuple[str, str]], draw: random.Random) -> list[Json]:
    clients: list[Json] = []
    for service in services:
        for _, zone in draw.sample(places, min(2, len(places))):
            workload: Json = {"service": service, "rate": "1000rps"}
            workload["requests"] = [
                {"weight": draw.randint(1, 3), "name": user + path, "path": path, "headers": {"x-user": user}}
                for path, user in draw.sample(_requests(), 3)
            ]
            clients.append({"name": f"{service}-from-{zone}", "node": f"node-{zone}", "workload": workload})
    return clients


def _requests() -> list[tuple[str, str]]:
    return [
        ("/", "u1"),
        ("/?user=u2", "beta"),
        ("/beta?user=u3", "u3"),
        ("/cart?beta=1&user=u4", "n4"),
        ("/cart?beta=x&user=u5", "n5"),
        ("/beta?beta=22&user=u6", "n6"),
    ]


def _readiness(pods: dict[str, list[str]], draw: random.Random) -> list[Json]:
    timeline: list[Json] = []
    for at in range(3, DURATION, 3):
        of_service = draw.choice(list(pods.values()))
        gone = draw.sample(of_service, draw.randint(1, max(1, len(of_service) // 2)))
        timeline.append({"at": f"{at}s", "endpoints": gone, "healthy": draw.choice(["0", "0", "100%"])})
    return timeline
