"""One case: a client of a scenario at one moment, as Spillway sees it and as it was exported."""

import json
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


@dataclass(frozen=True)
class Sent:
    """A kind of request of the workload."""

    name: str
    weight: float
    headers: tuple[tuple[str, str], ...]


@dataclass
class Case:
    """`shares` are None where no closed form exists. What they lack to 1 finds no host."""

    name: str
    scenario: Path
    client: str
    at: str
    shares: dict[Place, float] | None
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
    """A case for every client and epoch of a scenario."""
    shares = spillway.share(scenario)
    cases: list[Case] = []
    for epoch in shares["epochs"]:
        rows = [
            row
            for row in shares["shares"]
            if (row["epoch"], row["client"], row["service"]) == (epoch["index"], epoch["client"], epoch["service"])
        ]
        at = f"{epoch['start_s']:.9f}".rstrip("0").rstrip(".") + "s"
        cases.append(Case(f"{name} {epoch['client']} {at}", scenario, epoch["client"], at, _exact(rows)))
    return cases


def _exact(rows: list[dict[str, Any]]) -> dict[Place, float] | None:
    shares: dict[Place, float] = {}
    for row in rows:
        if row["exact"] is None:
            return None
        place = Place(row["cluster"], row["priority"], row["zone"], row["endpoint"])
        shares[place] = shares.get(place, 0.0) + row["exact"]
    return shares


def _read(file: Path) -> Any:
    return json.loads(file.read_text())
