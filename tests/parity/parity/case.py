"""One case: a client of a scenario at one moment, as Spillway sees it and as it was exported."""

import json
import shlex
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from parity.program import Spillway


@dataclass(frozen=True)
class Place:
    """Where a request ended: the cells of the tests."""

    cluster: str
    priority: int
    zone: str
    endpoint: str

    @property
    def group(self) -> str:
        """What does not tell endpoints of the same kind apart."""
        return f"{self.cluster} P{self.priority} {self.zone}"

    def __str__(self) -> str:
        return f"{self.group} {self.endpoint}"


VIA = "by a zone proxy"
NO_HOST = Place("-", 0, "-", "no host")


@dataclass(frozen=True)
class Sent:
    """A kind of request of the workload."""

    name: str
    weight: float
    headers: tuple[tuple[str, str], ...]
    address: str = ""  # of the listener that it enters


@dataclass
class Case:
    """What a client sends to one service in one epoch.

    `shares` are None where no closed form exists. What they lack to 1 finds no host.
    """

    name: str
    scenario: Path
    client: str
    service: str
    at: str
    shares: dict[Place, float] | None
    epoch: int = 0
    states: int = 1
    services: int = 1  # of the client
    # What rows of shares call the zone of an endpoint in a cluster: zones of a mesh may have no name as a locality.
    zones: dict[tuple[str, str], str] = field(default_factory=dict)
    folder: Path = Path()
    requests: list[Sent] = field(default_factory=list)
    places: dict[str, Place] = field(default_factory=dict)
    bootstrap: dict[str, Any] = field(default_factory=dict)

    @property
    def clusters(self) -> list[dict[str, Any]]:
        found: list[dict[str, Any]] = self.bootstrap["static_resources"]["clusters"]
        return found

    @property
    def entrances(self) -> list[dict[str, Any]]:
        """The listeners that requests enter: Kuma's outbounds, or the only one."""
        listeners = self.bootstrap["static_resources"]["listeners"]
        return [one for one in listeners if not one.get("name", "").startswith("upstream-")]

    @property
    def virtual_host(self) -> dict[str, Any]:
        """The routes of the first listener, which is of HTTP."""
        found: dict[str, Any] = _config(self.entrances[0])["route_config"]["virtual_hosts"][0]
        return found

    @property
    def routes(self) -> list[dict[str, Any]]:
        """All routes of HTTP listeners."""
        managers = [_config(listener) for listener in self.entrances if not is_tcp(listener)]
        return [route for one in managers for route in one["route_config"]["virtual_hosts"][0]["routes"]]

    @property
    def actions(self) -> list[dict[str, Any]]:
        """What leads to clusters: routes that do not answer themselves, and TCP proxies."""
        proxies = [_config(listener) for listener in self.entrances if is_tcp(listener)]
        return [route["route"] for route in self.routes if "route" in route] + proxies

    @property
    def members(self) -> set[str]:
        """The clusters that this service's requests end in, itself among them."""
        members = {self.service, *(cluster for cluster, _ in self.zones)}
        if self.services == 1:
            members.update(self._routed)  # without a host a cluster has no row
        for cluster in self.clusters:
            if cluster["name"] == self.service:
                members.update(cluster.get("cluster_type", {}).get("typed_config", {}).get("clusters", []))
        return members

    @property
    def _routed(self) -> set[str]:
        clusters: set[str] = set()
        for action in self.actions:
            if "cluster" in action:
                clusters.add(action["cluster"])
            clusters.update(one["name"] for one in action.get("weighted_clusters", {}).get("clusters", []))
        return clusters

    @property
    def retries(self) -> bool:
        """Whether some route sends requests again."""
        return any("retry_policy" in action for action in self.actions)

    @property
    def forgets_hosts(self) -> bool:
        """Whether hosts go, with their counters, when nobody has asked for them for a while."""
        return any(cluster.get("type") == "ORIGINAL_DST" for cluster in self.clusters)

    @property
    def gone(self) -> list[Place]:
        """The hosts at a port where nobody listens."""
        listening = {_port(listener) for listener in self.bootstrap["static_resources"]["listeners"]}
        return [place for address, place in self.places.items() if int(address.rpartition(":")[2]) not in listening]

    @property
    def some_host_fails(self) -> bool:
        """Whether requests can fail at a host."""
        listeners = self.bootstrap["static_resources"]["listeners"]
        return bool(self.gone) or any(len(listener["filter_chains"]) > 1 for listener in listeners)

    @property
    def replay(self) -> str:
        """The command that judges this case alone."""
        return shlex.join(["tests/parity/run", str(self.scenario), "--client", self.client, "--at", self.at])

    def export(self, spillway: Spillway, port: int, folder: Path) -> None:
        """Has the bootstrap written, and reads what was."""
        spillway.export(self.scenario, self.client, self.at, port, folder)
        self.folder = folder
        self.bootstrap = _read(folder / "bootstrap.json")
        self.requests = [
            Sent(kind["name"], kind["weight"], tuple((name, value) for name, value in kind["headers"]), kind["address"])
            for kind in _read(folder / "requests.json")["requests"]
        ]
        self.places = {
            address: Place(
                end["cluster"],
                end["priority"],
                self.zones.get((end["cluster"], end["endpoint"]), end["zone"]),
                end["endpoint"],
            )
            for address, end in _read(folder / "endpoints.json").items()
        }


def cases_of(spillway: Spillway, scenario: Path, name: str) -> list[Case]:
    """A case for every client, service and epoch of a scenario."""
    exact = spillway.share(scenario)
    services = {
        client: {epoch["service"] for epoch in exact["epochs"] if epoch["client"] == client}
        for client in {epoch["client"] for epoch in exact["epochs"]}
    }
    cases: list[Case] = []
    for epoch in exact["epochs"]:
        at = f"{epoch['start_s']:.9f}".rstrip("0").rstrip(".") + "s"
        to = f" -> {epoch['service']}" if len(services[epoch["client"]]) > 1 else ""
        key = (epoch["index"], epoch["client"], epoch["service"])
        rows = rows_of(exact, "shares", key)
        shares = _exact(rows)
        case = Case(f"{name} {epoch['client']}{to} {at}", scenario, epoch["client"], epoch["service"], at, shares)
        case.epoch, case.states = epoch["index"], epoch["states"]
        case.services = len(services[epoch["client"]])
        places = [place_of(row) for row in rows]
        case.zones = {(place.cluster, place.endpoint): place.zone for place in places}
        cases.append(case)
    return cases


def rows_of(results: dict[str, Any], kind: str, key: tuple[int, str, str]) -> list[dict[str, Any]]:
    """The rows of an epoch, client and service in a document of results."""
    return [row for row in results[kind] if (row["epoch"], row["client"], row["service"]) == key]


def place_of(row: dict[str, Any]) -> Place:
    """Where the proxy sends what a row of shares counts: to the endpoint itself, or to the first zone proxy on the way.

    Zone proxies of one zone stand for endpoints of several.
    """
    first, _, _ = row["via"].partition(" > ")
    return Place(row["cluster"], row["priority"], VIA if first else row["zone"], first or row["endpoint"])


def _exact(rows: list[dict[str, Any]]) -> dict[Place, float] | None:
    shares: dict[Place, float] = {}
    for row in rows:
        if row["exact"] is None:
            return None
        shares[place_of(row)] = shares.get(place_of(row), 0.0) + row["exact"]
    return shares


def _config(listener: dict[str, Any]) -> dict[str, Any]:
    config: dict[str, Any] = listener["filter_chains"][0]["filters"][0]["typed_config"]
    return config


def is_tcp(listener: dict[str, Any]) -> bool:
    """Whether it hands connections on instead of requests."""
    return bool(listener["filter_chains"][0]["filters"][0].get("name") == "envoy.filters.network.tcp_proxy")


def _port(listener: dict[str, Any]) -> int:
    port: int = listener["address"]["socket_address"]["port_value"]
    return port


def _read(file: Path) -> Any:
    return json.loads(file.read_text())
