"""What happens in a timeline, read from its scenario: how endpoints answer and what the proxy is told, by time.

A timeline is an ordinary scenario file that keeps to a part of the language: one service, whose endpoints may have a
constant service_time, one cluster of that name, links with a latency, one client with a rate, periodic arrivals and
kinds of requests, at most one route, which may keep sessions, and events about `endpoints`: fails, fails_with,
answers_checks, healthy, degraded, remove, add, to_priority.
"""

import json
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

Json = dict[str, Any]

PORT = 24499
CHECK_PATH = "/check"


@dataclass(frozen=True)
class Behaviour:
    """How an endpoint answers. `fails`: so much of its requests, 0 to 1, in the way of `fails_with`. Where it does not
    exist, connections are refused."""

    exists: bool = True
    fails: float = 0.0
    fails_with: int | str = 503
    checks: str = "healthy"
    delay: float = 0.0  # seconds, of answers to requests
    check_delay: float = 0.0  # likewise, to checks


@dataclass(frozen=True)
class Host:
    """An endpoint, with its address on loopback."""

    name: str
    ip: str
    zone: str
    priority: int = 0
    weight: int = 1
    at_first: Behaviour = Behaviour()


@dataclass(frozen=True)
class Told:
    """What the load assignment says of an endpoint."""

    listed: bool = True
    health: str = "HEALTHY"
    priority: int = 0


@dataclass(frozen=True)
class Kind:
    """A kind of request, each a session of its own where the route keeps sessions."""

    headers: tuple[tuple[str, str], ...] = ()
    weight: float = 1.0


@dataclass
class Script:
    """One timeline. Times are seconds from its start."""

    name: str
    file: Path
    duration: float
    rate: float
    cluster: Json
    route: Json  # with what filters do for it
    hosts: list[Host]
    kinds: list[Kind]
    behaviours: list[tuple[float, str, Behaviour]] = field(default_factory=list)  # by time; of the endpoint of that name
    pushes: list[tuple[float, dict[str, Told]]] = field(default_factory=list)  # by time; of all endpoints

    @property
    def keeps_sessions(self) -> bool:
        """Whether requests of a kind are a session."""
        return "typed_per_filter_config" in self.route


def read_script(file: Path, number: int) -> Script:
    """The timeline of a scenario; `number` tells its addresses from those of other timelines."""
    scenario: Json = json.loads(file.read_text())
    service = scenario["services"][0]
    workload = scenario["clients"][0]["workload"]
    if workload.get("arrivals") != "periodic":
        raise ValueError(f"{file}: a timeline needs periodic arrivals")
    route = scenario["routes"][0] if "routes" in scenario else {"route": {"cluster": service["name"], "timeout": "15s"}}
    script = Script(
        scenario["name"],
        file,
        seconds(scenario["duration"]),
        float(workload["rate"].removesuffix("rps")),
        scenario["clusters"][0],
        route,
        _hosts(service, number, _latencies(scenario)),
        [Kind(tuple(kind["headers"].items()), kind.get("weight", 1.0)) for kind in workload.get("requests", [])]
        or [Kind()],
    )
    _follow(scenario.get("timeline", []), script)
    return script


def seconds(text: str) -> float:
    """Of a duration such as `1.5s`."""
    return float(text.removesuffix("s"))


def _latencies(scenario: Json) -> dict[str, float]:
    """By zone: one way from the client."""
    own = scenario["clients"][0]["zone"]
    return {
        zone: seconds(link["latency"])
        for link in scenario.get("links", [])
        for zone in link["between"]
        if own in link["between"] and zone != own
    }


def _hosts(service: Json, number: int, latencies: dict[str, float]) -> list[Host]:
    hosts: list[Host] = []
    for group in service["endpoints"]:
        for _ in range(group["count"]):
            ip = f"127.{10 + number // 250}.{number % 250 + 1}.{len(hosts) + 1}"
            name = f"{service['name']}-{len(hosts) + 1}"
            way = 2 * latencies.get(group["zone"], 0.0)
            at_first = Behaviour(delay=way + seconds(group.get("service_time", "0s")), check_delay=way)
            hosts.append(Host(name, ip, group["zone"], group.get("priority", 0), group.get("weight", 1), at_first))
    return hosts


def _follow(events: list[Json], script: Script) -> None:
    behaviour = {host.name: host.at_first for host in script.hosts}
    told = {host.name: Told(priority=host.priority) for host in script.hosts}
    script.pushes.append((0.0, dict(told)))
    for event in sorted(events, key=lambda event: seconds(event["at"])):
        at = seconds(event["at"])
        unknown = set(event) - {"at", "service", "endpoints", *_BEHAVIOUR_KEYS, *_TOLD_KEYS}
        if unknown:
            raise ValueError(f"{script.file}: a timeline does not know {', '.join(sorted(unknown))}")
        for name in event["endpoints"]:
            if any(key in event for key in (*_BEHAVIOUR_KEYS, "remove", "add")):
                behaviour[name] = _behaviour(behaviour[name], event)
                script.behaviours.append((at, name, behaviour[name]))
            told[name] = _told(told[name], event)
        if any(key in event for key in _TOLD_KEYS):
            if script.pushes[-1][0] == at:
                script.pushes.pop()
            script.pushes.append((at, dict(told)))


_BEHAVIOUR_KEYS = ("fails", "fails_with", "answers_checks")
_TOLD_KEYS = ("healthy", "degraded", "remove", "add", "to_priority")


def _behaviour(before: Behaviour, event: Json) -> Behaviour:
    fails = float(event["fails"].removesuffix("%")) / 100 if "fails" in event else before.fails
    exists = "remove" not in event and (before.exists or "add" in event)
    how, checks = event.get("fails_with", before.fails_with), event.get("answers_checks", before.checks)
    return replace(before, exists=exists, fails=fails, fails_with=how, checks=checks)


def _told(before: Told, event: Json) -> Told:
    """Numbers in these events are of all endpoints that the event names, or none of them."""
    if "remove" in event or "add" in event:
        return replace(before, listed="add" in event)
    if "to_priority" in event:
        return replace(before, priority=event["to_priority"])
    if "degraded" in event:
        return replace(before, health="DEGRADED" if event["degraded"] else "HEALTHY")
    if "healthy" in event:
        return replace(before, health="HEALTHY" if event["healthy"] else "UNHEALTHY")
    return before
