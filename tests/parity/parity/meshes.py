"""Random meshes of Kuma's documents: every kind of request, through every exported listener.

Each mesh is exported once. Each kind of its requests is a case of its own: what `spillway share` says of the mesh in
which it is the only one. The real requests enter the listener that the export names, as they were written.
"""

import copy
import json
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from parity.case import place_of
from parity.client import Answer, Clients, request_bytes
from parity.envoy_process import EnvoyProcess, EnvoyRefused
from parity.program import Spillway, SpillwayRefused
from parity.session import Settings
from parity.statistics import Fit, g_test, two_sample_g_test

Json = dict[str, Any]

# What the proxy answers itself. The outcome of both is no_healthy_upstream.
NO_HOST = "no host"
ANSWERS_500 = "answer 500"
# The refusal of a mesh in which Kuma gives the client no listener for a service that it requests.
NO_LISTENER = "[SP633]: a route to nothing"
REPETITIONS = 3
SEED = 1
# What `spillway share` says of requests that Kuma's listener answers.
SAYS_500 = "the proxy answers 500"
# A share that is less than this from 1 is 1.
NO_SHARE = 1e-9


@dataclass
class Expected:
    """Where requests of one kind end by `spillway share`; where it has no closed form or the proxy answers some of them
    itself, also how many end where by `spillway run`."""

    shares: dict[str, float] | None
    counts: Counter[str] | None = None
    answers_500: bool | None = None  # whether `spillway share` says so; None if it was not asked

    @property
    def is_certain(self) -> bool:
        """Whether every request ends at the same place."""
        return self.shares is not None and max(self.shares.values(), default=1.0) > 1.0 - NO_SHARE


@dataclass
class MeshVerdict:
    """`problems` is empty if Envoy and Spillway agree about every kind of request of a mesh."""

    name: str
    file: Path
    kinds: int = 0
    requests: int = 0
    smallest_p_value: float = 1.0
    refused: str = ""  # why Kuma makes no listener of it
    problems: list[str] = field(default_factory=list)


def judge_mesh(settings: Settings, mesh: Json, folder: Path, alpha: float) -> MeshVerdict:
    """Compiles, exports and plays one mesh."""
    spillway, port = settings.spillway, settings.port
    folder.mkdir(parents=True, exist_ok=True)
    file = folder / "mesh.json"
    file.write_text(json.dumps(mesh, indent=1))
    verdict = MeshVerdict(mesh["name"], file)
    kinds = mesh["clients"][0]["workload"]["requests"]
    expected: dict[str, Expected] = {}
    try:
        for kind in kinds:
            expected[kind["name"]] = _expected(spillway, mesh, kind, folder)
        spillway.export(file, "web", "0s", port, folder)
    except SpillwayRefused as refusal:
        if NO_LISTENER in str(refusal):
            verdict.refused = NO_LISTENER
        else:
            verdict.problems.append(str(refusal))
        return verdict
    entrances = {one["name"]: one["address"] for one in _read(folder / "requests.json")["requests"]}
    ends = {
        address: f"{end['cluster']} {end['endpoint']}" for address, end in _read(folder / "endpoints.json").items()
    }
    is_tcp = _tcp_addresses(_read(folder / "bootstrap.json"))
    try:
        with EnvoyProcess(settings.envoy, folder, port + 1):
            for kind in kinds:
                address = entrances[kind["name"]]
                counts = _play(kind, address, address in is_tcp, ends, expected[kind["name"]], settings.requests)
                _compare(verdict, kind, counts, expected[kind["name"]], alpha)
    except EnvoyRefused as refusal:
        verdict.problems.append(f"Envoy refuses the bootstrap: {refusal}")
    return verdict


def _expected(spillway: Spillway, mesh: Json, kind: Json, folder: Path) -> Expected:
    """What `spillway share` and `run` say of a mesh with one kind of requests."""
    alone = copy.deepcopy(mesh)
    alone["clients"][0]["workload"]["requests"] = [kind]
    file = folder / "alone.json"
    file.write_text(json.dumps(alone))
    results = spillway.share(file)
    parts = {epoch["service"]: epoch.get("part_of_client") or 1.0 for epoch in results["epochs"]}
    shares: dict[str, float] | None = {}
    for row in results["shares"]:
        if row["exact"] is None or shares is None:
            shares = None
            continue
        end = f"{row['cluster']} {place_of(row).endpoint}"
        shares[end] = shares.get(end, 0.0) + parts[row["service"]] * row["exact"]
    if shares is not None and sum(shares.values()) > 1.0 - NO_SHARE:
        return Expected(shares)
    words = spillway.share_table(file)
    return Expected(shares, _counts(spillway.run(file, SEED)), SAYS_500 in words if NO_HOST in words else None)


def _counts(results: Json) -> Counter[str]:
    counts: Counter[str] = Counter()
    for row in results["shares"]:
        counts[f"{row['cluster']} {place_of(row).endpoint}"] += row["requests"]
    for row in results["outcomes"]:
        counts[NO_HOST] += row["no_healthy_upstream"]
    return counts


def _tcp_addresses(bootstrap: Json) -> set[str]:
    found: set[str] = set()
    for listener in bootstrap["static_resources"]["listeners"]:
        at = listener["address"]["socket_address"]
        if listener["filter_chains"][0]["filters"][0]["name"] == "envoy.filters.network.tcp_proxy":
            found.add(f"{at['address']}:{at['port_value']}")
    return found


def _play(
    kind: Json, address: str, is_tcp: bool, ends: dict[str, str], expected: Expected, requests: int
) -> Counter[str]:
    """Where real requests end. A TCP proxy chooses for each connection, so every request has one of its own."""
    headers = [(":path", kind["path"]), *kind["headers"].items()]
    wire = request_bytes("host", [*headers, ("connection", "close")] if is_tcp else headers)
    number = REPETITIONS if expected.is_certain else requests
    clients = Clients()
    try:
        client = clients.of(address)
        answers = client.send_apart([wire] * number) if is_tcp else client.send_all([wire] * number)
    finally:
        clients.close()
    return Counter(_end(answer, ends) for answer in answers)


def _end(answer: Answer, ends: dict[str, str]) -> str:
    if answer.host is not None:
        return ends.get(answer.host, f"stranger {answer.host}")
    return NO_HOST if answer.status in (0, 503) else f"answer {answer.status}"


def _compare(verdict: MeshVerdict, kind: Json, counts: Counter[str], expected: Expected, alpha: float) -> None:
    verdict.kinds += 1
    verdict.requests += sum(counts.values())
    fits: list[Fit] = []
    ends = Counter({end: count for end, count in counts.items() if end != ANSWERS_500})
    ends[NO_HOST] += counts[ANSWERS_500]
    if expected.shares is not None:
        fits.append(g_test(ends, {**expected.shares, NO_HOST: max(0.0, 1.0 - sum(expected.shares.values()))}))
    if expected.counts is not None:
        fits.append(two_sample_g_test(ends, expected.counts))
    if expected.answers_500 is not None and ends[NO_HOST] > 0 and expected.answers_500 != (counts[ANSWERS_500] > 0):
        fits.append(Fit(0.0, "another answer than share names"))
    for fit in fits:
        verdict.smallest_p_value = min(verdict.smallest_p_value, fit.p_value)
        if fit.impossible is not None or fit.p_value < alpha:
            wanted = expected.shares or expected.counts or {}
            verdict.problems.append(
                f"{kind['name']} {kind['path']} {kind['headers']}: real {_in_parts(counts)}, exact {_in_parts(wanted)}"
            )
            return


def _in_parts(counts: Mapping[str, float]) -> str:
    total = sum(counts.values()) or 1.0
    return ", ".join(f"{end} {count / total:.4f}" for end, count in sorted(counts.items()) if count > 0)


def _read(file: Path) -> Any:
    return json.loads(file.read_text())
