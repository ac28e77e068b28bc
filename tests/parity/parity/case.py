"""One case: a client of a scenario at one moment, as Spillway sees it and as it was exported."""

import json
from collections import Counter
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from parity.program import Spillway

SIMULATION_SEED = 1


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


NO_HOST = Place("-", 0, "-", "no host")


@dataclass(frozen=True)
class Sent:
    """A kind of request of the workload."""

    name: str
    weight: float
    headers: tuple[tuple[str, str], ...]


@dataclass
class Case:
    """What a client sends to one service.

    `shares` are None where no closed form exists: `simulated` then counts what the simulation's requests did. What
    shares lack to 1 finds no host.
    """

    name: str
    scenario: Path
    client: str
    service: str
    at: str
    shares: dict[Place, float] | None
    simulated: Counter[Place] = field(default_factory=Counter)
    states: int = 1
    folder: Path = Path()
    requests: list[Sent] = field(default_factory=list)
    places: dict[str, Place] = field(default_factory=dict)
    bootstrap: dict[str, Any] = field(default_factory=dict)

    @property
    def clusters(self) -> list[dict[str, Any]]:
        found: list[dict[str, Any]] = self.bootstrap["static_resources"]["clusters"]
        return found

    @property
    def virtual_host(self) -> dict[str, Any]:
        """The routes of the inbound listener."""
        listener = self.bootstrap["static_resources"]["listeners"][0]
        manager = listener["filter_chains"][0]["filters"][0]["typed_config"]
        found: dict[str, Any] = manager["route_config"]["virtual_hosts"][0]
        return found

    @property
    def members(self) -> set[str]:
        """The clusters that this service's requests end in, itself among them."""
        members = {self.service}
        for cluster in self.clusters:
            if cluster["name"] == self.service:
                members.update(cluster.get("cluster_type", {}).get("typed_config", {}).get("clusters", []))
        return members

    @property
    def replay(self) -> str:
        """The command that judges this case alone."""
        return f"tests/parity/run {self.scenario} --client {self.client} --at {self.at}"

    def export(self, spillway: Spillway, port: int, folder: Path) -> None:
        """Has the bootstrap written, and reads what was."""
        spillway.export(self.scenario, self.client, self.at, port, folder)
        self.folder = folder
        self.bootstrap = _read(folder / "bootstrap.json")
        self.requests = [
            Sent(kind["name"], kind["weight"], tuple((name, value) for name, value in kind["headers"]))
            for kind in _read(folder / "requests.json")["requests"]
        ]
        self.places = {
            address: Place(end["cluster"], end["priority"], end["zone"], end["endpoint"])
            for address, end in _read(folder / "endpoints.json").items()
        }


def cases_of(spillway: Spillway, scenario: Path, name: str) -> list[Case]:
    """A case for every client, service and epoch of a scenario."""
    exact = spillway.share(scenario)
    simulated = None
    if any(row["exact"] is None for row in exact["shares"]):
        simulated = spillway.run(scenario, SIMULATION_SEED)
    services = {
        client: {epoch["service"] for epoch in exact["epochs"] if epoch["client"] == client}
        for client in {epoch["client"] for epoch in exact["epochs"]}
    }
    cases: list[Case] = []
    for epoch in exact["epochs"]:
        at = f"{epoch['start_s']:.9f}".rstrip("0").rstrip(".") + "s"
        to = f" -> {epoch['service']}" if len(services[epoch["client"]]) > 1 else ""
        shares = _exact(_rows_of(exact, "shares", epoch))
        case = Case(f"{name} {epoch['client']}{to} {at}", scenario, epoch["client"], epoch["service"], at, shares)
        case.states = epoch["states"]
        if shares is None and simulated is not None:
            case.simulated = _simulated(simulated, epoch)
        cases.append(case)
    return cases


def _rows_of(results: dict[str, Any], kind: str, epoch: dict[str, Any]) -> list[dict[str, Any]]:
    wanted = (epoch["index"], epoch["client"], epoch["service"])
    return [row for row in results[kind] if (row["epoch"], row["client"], row["service"]) == wanted]


def _place(row: dict[str, Any]) -> Place:
    return Place(row["cluster"], row["priority"], row["zone"], row["endpoint"])


def _exact(rows: list[dict[str, Any]]) -> dict[Place, float] | None:
    shares: dict[Place, float] = {}
    for row in rows:
        if row["exact"] is None:
            return None
        shares[_place(row)] = shares.get(_place(row), 0.0) + row["exact"]
    return shares


def _simulated(results: dict[str, Any], epoch: dict[str, Any]) -> Counter[Place]:
    counts: Counter[Place] = Counter()
    for row in _rows_of(results, "shares", epoch):
        counts[_place(row)] += row["requests"]
    for row in _rows_of(results, "outcomes", epoch):
        counts[NO_HOST] += row["no_healthy_upstream"]
    return counts


def _read(file: Path) -> Any:
    return json.loads(file.read_text())
