"""Random clusters whose endpoints change, some of them with something that their configuration does not say."""

import copy
import random
from dataclasses import dataclass, field
from typing import Any

POLICIES = ("ROUND_ROBIN", "RANDOM", "LEAST_REQUEST", "ROUND_ROBIN")
STATUSES = ("HEALTHY", "HEALTHY", "HEALTHY", "HEALTHY", "UNHEALTHY", "DEGRADED")
MOST_ZONES = 3
MOST_HOSTS = 6  # of a zone and priority

# What a configuration may hide.
DEAD_HOST, STALE_HEALTH, WEIGHTS, SECOND_CLIENT = "dead host", "stale health", "weights", "second client"
DEVIATIONS = (DEAD_HOST, WEIGHTS, SECOND_CLIENT, STALE_HEALTH)


@dataclass
class World:
    """One cluster: what its dump says, and what EDS says before, between and after."""

    name: str
    cluster: dict[str, Any]
    dumped: dict[str, Any]
    first: dict[str, Any]
    second: dict[str, Any]
    deviation: str | None = None
    about: list[str] = field(default_factory=list)  # the addresses that the deviation concerns


def make_world(number: int, seed: int, port: int, dead_port: int, deviation: str | None) -> World:
    """World `number` of a bundle; its hosts have addresses of their own on loopback."""
    draw = random.Random(f"{seed}/{number}/{deviation}")
    name = f"run-{number}"
    zones = [f"zone-{zone}" for zone in range(1, draw.randint(1, MOST_ZONES) + 1)]
    priorities = draw.choice((1, 1, 2))
    entries, host = [], 0
    for priority in range(priorities):
        for zone in zones:
            hosts = []
            for _ in range(draw.randint(2, MOST_HOSTS)):
                host += 1
                hosts.append(_host(f"127.{number // 250 + 10}.{number % 250 + 1}.{host}", port, draw))
            entries.append({"locality": {"region": "r", "zone": zone}, "priority": priority, "lb_endpoints": hosts})
    dumped = {"cluster_name": name, "endpoints": entries}
    if draw.random() < 0.5:
        dumped["policy"] = {"overprovisioning_factor": draw.choice((100, 140, 200))}
    world = World(name, _cluster(name, draw), dumped, copy.deepcopy(dumped), copy.deepcopy(dumped), deviation)
    if deviation is None:
        if draw.random() < 0.6:
            _change_health(world.second, draw)
    else:
        _deviate(world, dead_port, draw)
    return world


def _host(address: str, port: int, draw: random.Random) -> dict[str, Any]:
    host: dict[str, Any] = {
        "endpoint": {"address": {"socket_address": {"address": address, "port_value": port}}},
        "health_status": draw.choice(STATUSES),
        "load_balancing_weight": draw.choice((1, 1, 1, 2, 5)),
        "metadata": {"filter_metadata": {"envoy.lb": {"stage": draw.choice(("canary", "prod"))}}},
    }
    return host


def _cluster(name: str, draw: random.Random) -> dict[str, Any]:
    return {
        "name": name,
        "type": "EDS",
        "connect_timeout": "1s",
        "lb_policy": draw.choice(POLICIES),
        "eds_cluster_config": {"eds_config": {"path_config_source": {"path": f"eds/{name}.json"}}},
        "lb_subset_config": {"fallback_policy": "ANY_ENDPOINT", "subset_selectors": [{"keys": ["stage"]}]},
        "circuit_breakers": {"thresholds": [{"max_requests": 100000, "max_pending_requests": 100000}]},
    }


def _hosts(assignment: dict[str, Any]) -> list[dict[str, Any]]:
    return [host for entry in assignment["endpoints"] for host in entry["lb_endpoints"]]


def address_of(host: dict[str, Any]) -> str:
    socket = host["endpoint"]["address"]["socket_address"]
    return f"{socket['address']}:{socket['port_value']}"


def _change_health(assignment: dict[str, Any], draw: random.Random) -> None:
    """EDS tells of one host or two that they fell ill or got well."""
    for host in draw.sample(_hosts(assignment), draw.choice((1, 1, 2))):
        host["health_status"] = "UNHEALTHY" if host["health_status"] == "HEALTHY" else "HEALTHY"


def _heal(assignment: dict[str, Any]) -> None:
    for host in _hosts(assignment):
        host["health_status"] = "HEALTHY"


def _deviate(world: World, dead_port: int, draw: random.Random) -> None:
    for assignment in (world.dumped, world.first, world.second):
        _heal(assignment)
    # A host of the first priority, so that it would get requests.
    position = draw.randrange(len(world.dumped["endpoints"][0]["lb_endpoints"]))
    if world.deviation == DEAD_HOST:
        for assignment in (world.dumped, world.first, world.second):
            socket = _hosts(assignment)[position]["endpoint"]["address"]["socket_address"]
            socket["port_value"] = dead_port
    elif world.deviation == STALE_HEALTH:
        for assignment in (world.first, world.second):
            _hosts(assignment)[position]["health_status"] = "UNHEALTHY"
    elif world.deviation == WEIGHTS:
        _hosts(world.second)[position]["load_balancing_weight"] = 9
    elif world.deviation == SECOND_CLIENT:
        for assignment in (world.dumped, world.first, world.second):
            for number, host in enumerate(_hosts(assignment)):
                host["metadata"]["filter_metadata"]["envoy.lb"]["stage"] = "canary" if number == position else "prod"
    world.about = [address_of(_hosts(world.dumped)[position])]
