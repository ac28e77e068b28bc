"""Several cases in one Envoy: a virtual host for each, and clusters under the name of their case.

Cases share a process only if nothing in their bootstraps is about the process: no local cluster, no runtime values, no
endpoints that answer otherwise than the others, no upstreams apart, no request that says itself which host it is for. And
their proxies are in one place: the own locality stands first in Envoy's lists, which rings follow.
"""

import copy
import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from parity.case import Case, is_tcp

LARGEST_HOSTS = 4000
LARGEST_CASES = 40


def bundles(cases: list[Case]) -> Iterator[list[Case]]:
    """The cases in groups of one process each; within a group in their order."""
    groups: dict[str, list[Case]] = {}
    for case in cases:
        if not _can_share(case):
            yield [case]
            continue
        place = json.dumps(case.bootstrap["node"]["locality"], sort_keys=True)
        group = groups.setdefault(place, [])
        hosts = sum(len(other.places) for other in group)
        if group and (hosts + len(case.places) > LARGEST_HOSTS or len(group) == LARGEST_CASES):
            yield groups[place]
            group = groups[place] = []
        group.append(case)
    yield from (group for group in groups.values() if group)


def authority_of(position: int) -> str:
    """What requests of the case at this place of its bundle say in their host header."""
    return f"case-{position}"


def write_bundle(cases: list[Case], folder: Path) -> None:
    """The bootstrap of all cases together, in a folder of its own."""
    folder.mkdir(parents=True, exist_ok=True)
    bootstrap = copy.deepcopy(cases[0].bootstrap)
    resources = bootstrap["static_resources"]
    hosts: list[dict[str, Any]] = []
    resources["clusters"] = []
    for position, case in enumerate(cases):
        host, clusters = _renamed(case, "" if len(cases) == 1 else f"{authority_of(position)}/")
        host["domains"] = [authority_of(position) if len(cases) > 1 else "*"]
        host["name"] = authority_of(position)
        hosts.append(host)
        resources["clusters"] += clusters
    manager = resources["listeners"][0]["filter_chains"][0]["filters"][0]["typed_config"]
    manager["route_config"]["virtual_hosts"] = hosts
    manager["http_filters"] = max((_filters(case) for case in cases), key=len)
    known = {listener["name"] for listener in resources["listeners"]}
    for case in cases:
        for listener in case.bootstrap["static_resources"]["listeners"]:
            if listener["name"] not in known:
                known.add(listener["name"])
                resources["listeners"].append(listener)
    (folder / "bootstrap.json").write_text(json.dumps(bootstrap))
    if (cases[0].folder / "upstream.json").exists():
        (folder / "upstream.json").write_text((cases[0].folder / "upstream.json").read_text())


def cluster_prefix(cases: list[Case], position: int) -> str:
    """What stands before the names of a case's clusters."""
    return "" if len(cases) == 1 else f"{authority_of(position)}/"


def _can_share(case: Case) -> bool:
    listeners = case.bootstrap["static_resources"]["listeners"]
    plain = all(len(listener["filter_chains"]) == 1 for listener in listeners)
    plain = plain and len(case.entrances) == 1 and not is_tcp(case.entrances[0])
    anonymous = not any(name.lower() in (":authority", "host") for kind in case.requests for name, _ in kind.headers)
    whole = "cluster_manager" not in case.bootstrap and "layered_runtime" not in case.bootstrap
    return plain and anonymous and whole and not (case.folder / "upstream.json").exists()


def _filters(case: Case) -> list[dict[str, Any]]:
    manager = case.bootstrap["static_resources"]["listeners"][0]["filter_chains"][0]["filters"][0]["typed_config"]
    found: list[dict[str, Any]] = manager["http_filters"]
    return found


def _renamed(case: Case, prefix: str) -> tuple[dict[str, Any], list[dict[str, Any]]]:
    host = copy.deepcopy(case.virtual_host)
    for route in host["routes"]:
        action = route.get("route", {})
        if "cluster" in action:
            action["cluster"] = prefix + action["cluster"]
        for weighted in action.get("weighted_clusters", {}).get("clusters", []):
            weighted["name"] = prefix + weighted["name"]
    clusters = copy.deepcopy(case.clusters)
    for cluster in clusters:
        cluster["name"] = prefix + cluster["name"]
        aggregate = cluster.get("cluster_type", {}).get("typed_config", {})
        if "clusters" in aggregate:
            aggregate["clusters"] = [prefix + child for child in aggregate["clusters"]]
        if "load_assignment" in cluster:
            cluster["load_assignment"]["cluster_name"] = cluster["name"]
        source = cluster.get("eds_cluster_config", {}).get("eds_config", {}).get("path_config_source")
        if source is not None:
            source["path"] = str(case.folder / source["path"])
    return host, clusters
