"""Random configurations as scenario files: the same seed and number give the same files.

Every part of a configuration is drawn. Shares are far enough apart to be told from each other by a few thousand
requests: few levels, few hosts, weights below 10.
"""

import json
import random
from pathlib import Path
from typing import Any

from parity.generate_failures import add_failures
from parity.generate_policy import Features, add_policy
from parity.generate_traffic import add_traffic

Json = dict[str, Any]

ZONES = ("zone-1", "zone-2", "zone-3", "zone-4")


def write_scenarios(folder: Path, number: int, seed: int) -> list[Path]:
    """So many scenario files; configuration N is the same for every number above N."""
    folder.mkdir(parents=True, exist_ok=True)
    files: list[Path] = []
    for index in range(number):
        file = folder / f"generated-{seed}-{index}.json"
        file.write_text(json.dumps(generate(seed, index), indent=1) + "\n")
        files.append(file)
    return files


def generate(seed: int, index: int) -> Json:
    """One scenario."""
    draw = random.Random(f"{seed}/{index}")
    zones = list(ZONES[: draw.randint(1, len(ZONES))])
    scenario: Json = {
        "name": f"generated {seed}/{index}",
        "duration": "10s",
        "mode": "exact",
        "zones": [{"name": zone} for zone in zones],
        "services": [],
        "clusters": [],
        "load_assignments": [],
    }
    zone_aware = len(zones) > 1 and draw.random() < 0.25
    if draw.random() < 0.2:
        targets = ["aggregate"]
        features = _add_aggregate(scenario, zones, draw)
    else:
        targets = ["backend"]
        features = _add_service(scenario, "backend", zones, draw, zone_aware)
        if draw.random() < 0.15:
            targets.append("other")
            _add_service(scenario, "other", zones, draw, zone_aware)
    if zone_aware:
        scenario["services"].append({"name": "callers", "endpoints": _callers(zones, draw)})
        scenario["local_cluster"] = "callers"
    scenario["clients"] = [{"name": "client", "zone": draw.choice(zones), "workload": {"rate": "1000rps"}}]
    add_traffic(scenario, targets, features, draw)
    add_failures(scenario, draw)
    return scenario


def _add_aggregate(scenario: Json, zones: list[str], draw: random.Random) -> Features:
    features = Features()
    children = [f"child-{number}" for number in range(1, draw.randint(2, 3) + 1)]
    for child in children:
        of_child = _add_service(scenario, child, zones, draw, zone_aware=False)
        features.hashes |= of_child.hashes
        features.subsets |= of_child.subsets
    scenario["services"].append({"name": "aggregate"})
    aggregate: Json = {
        "name": "aggregate",
        "lb_policy": "CLUSTER_PROVIDED",
        "cluster_type": {
            "name": "envoy.clusters.aggregate",
            "typed_config": {
                "@type": "type.googleapis.com/envoy.extensions.clusters.aggregate.v3.ClusterConfig",
                "clusters": children,
            },
        },
    }
    if draw.random() < 0.3:
        aggregate["common_lb_config"] = {"healthy_panic_threshold": {"value": draw.choice([0, 30, 80])}}
    scenario["clusters"].append(aggregate)
    return features


def _add_service(scenario: Json, name: str, zones: list[str], draw: random.Random, zone_aware: bool) -> Features:
    groups: list[Json] = []
    for priority in range(draw.choice([1, 1, 2, 2, 3, 4])):
        for zone in draw.sample(zones, draw.randint(1, len(zones))):
            groups.append(_group(zone, priority, draw))
    weighted = draw.random() < 0.4
    if weighted:
        for group in groups:
            group["weight"] = draw.randint(1, 9)
    scenario["services"].append({"name": name, "endpoints": groups})
    cluster: Json = {"name": name}
    common: Json = {}
    threshold = draw.choice([None, None, 0, 20, 65.5, 100])
    if threshold is not None:
        common["healthy_panic_threshold"] = {"value": threshold}
    assignment: Json = {"cluster_name": name}
    locality = None
    if zone_aware:
        locality = {"zone_aware_lb_config": _zone_aware(draw)}
    elif draw.random() < 0.3:
        locality = {"locality_weighted_lb_config": {}}
        assignment["endpoints"] = _locality_weights(groups, draw)
    features = add_policy(cluster, common, locality, groups, draw)
    if common:
        cluster["common_lb_config"] = common
    policy = _assignment_policy(draw)
    if policy:
        assignment["policy"] = policy
    scenario["clusters"].append(cluster)
    if len(assignment) > 1:
        scenario["load_assignments"].append(assignment)
    return features


def _group(zone: str, priority: int, draw: random.Random) -> Json:
    count = draw.randint(1, 8)
    group: Json = {"count": count, "zone": zone, "priority": priority}
    healthy = count
    if draw.random() < 0.6:
        healthy = draw.randint(0, count)
        group["healthy"] = str(healthy)
    if healthy < count and draw.random() < 0.4:
        group["degraded"] = str(draw.randint(0, count - healthy))
    return group


def _callers(zones: list[str], draw: random.Random) -> list[Json]:
    return [{"count": draw.randint(1, 6), "zone": zone} for zone in zones]


def _zone_aware(draw: random.Random) -> Json:
    config: Json = {"min_cluster_size": draw.choice([1, 3, 6])}
    enabled = draw.choice([None, None, 100, 60])
    if enabled is not None:
        config["routing_enabled"] = {"value": enabled}
    if draw.random() < 0.2:
        config["fail_traffic_on_panic"] = True
    return config


def _locality_weights(groups: list[Json], draw: random.Random) -> list[Json]:
    return [
        {
            "locality": {"zone": group["zone"]},
            "priority": group["priority"],
            "load_balancing_weight": draw.randint(1, 9),
        }
        for group in groups
        if draw.random() < 0.9
    ]


def _assignment_policy(draw: random.Random) -> Json:
    policy: Json = {}
    factor = draw.choice([None, None, 100, 125, 200])
    if factor is not None:
        policy["overprovisioning_factor"] = factor
    if draw.random() < 0.25:
        policy["weighted_priority_health"] = True
    return policy
