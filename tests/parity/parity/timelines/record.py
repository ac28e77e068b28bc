"""Plays timelines on a real Envoy, side by side, and records what it did when.

The start of all timelines is a moment at which every interval of sweeps and checks begins anew: so many seconds after
the clusters were made that all intervals in use divide them. By then every check has brought its first result,
requests have been sent for a while and no host is in slow start, as where a simulation begins.
"""

import asyncio
import contextlib
import json
import multiprocessing
import re
import subprocess
import time
from collections.abc import Hashable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from pathlib import Path

from parity.envoy_process import EnvoyRefused
from parity.timelines.bootstrap import CHECK_LOG, OUTLIER_LOG, authority_of, push, write_bootstrap
from parity.timelines.endpoints import Command, serve
from parity.timelines.script import Script
from parity.timelines.sender import Sent, Stream, send_streams

WARM_UP_SECONDS = 6.0
WARM_UP_REQUESTS_SECONDS = 4.5
READY_SECONDS = 20.0
# A request or push that was later than this says that the machine was busy, not what Envoy does.
LATEST_SECONDS = 0.05
# What the log says when the clusters are made.
_CLUSTERS_MADE = re.compile(r"^(\d+)\.(\d+) .*loading \d+ cluster\(s\)", re.MULTILINE)


@dataclass(frozen=True)
class HostEvent:
    """What the proxy found out by itself: ejected, returned, unhealthy, degraded or healthy."""

    at: float
    host: str
    event: str


@dataclass
class Recording:
    """One run of one timeline. Seconds from its start."""

    events: list[HostEvent] = field(default_factory=list)
    requests: list[tuple[float, str, str]] = field(default_factory=list)  # sent at, host ("": none), outcome
    # Of sessions, each of which went somewhere else than with its request before: when.
    moves: list[float] = field(default_factory=list)


class MachineBusy(Exception):
    """The recording is worth nothing, since this machine was late."""


def record(envoy: Path, scripts: Sequence[Script], folder: Path, port: int, seed: str) -> list[Recording]:
    """A recording of each timeline, in their order."""
    for log in (OUTLIER_LOG, CHECK_LOG):
        (folder / log).unlink(missing_ok=True)
    write_bootstrap(scripts, folder, port)
    addresses = [host.ip for script in scripts for host in script.hosts]
    commands: list[Command] = [(-WARM_UP_SECONDS, host.ip, host.at_first) for script in scripts for host in script.hosts]
    commands += [
        (at, next(host.ip for host in script.hosts if host.name == name), behaviour)
        for script in scripts
        for at, name, behaviour in script.behaviours
        if at > 0
    ]
    with endpoints_of(addresses, commands, seed) as start_at, envoy_in(envoy, folder) as process:
        made = wait_until_ready(process, folder)
        clock = time.time() - time.monotonic()
        start = made - clock + WARM_UP_SECONDS
        if time.monotonic() > start - WARM_UP_REQUESTS_SECONDS - 0.2:
            raise MachineBusy("Envoy took too long to start")
        start_at(start)
        sent, pushed_late = asyncio.run(_send_and_push(scripts, folder, port, start))
    latest = max([pushed_late, *(of.latest for of in sent)])
    if latest > LATEST_SECONDS:
        raise MachineBusy(f"a request or push was {latest:.3f} s late")
    return _recordings(scripts, folder, start + clock, sent)


@contextlib.contextmanager
def endpoints_of(addresses: Sequence[str], commands: Sequence[Command], seed: str) -> Iterator["_Start"]:
    """Endpoints in a process of their own while the block lasts; yields what takes the start of their commands."""
    ours, theirs = multiprocessing.Pipe()
    process = multiprocessing.get_context("fork").Process(
        target=_serve_in_child, args=(ours, addresses, commands, theirs, seed), daemon=True
    )
    process.start()
    theirs.close()
    try:
        if not ours.poll(READY_SECONDS):
            raise EnvoyRefused("the endpoints do not start")
        ours.recv()
        yield ours.send
    finally:
        ours.close()
        process.join(5.0)
        if process.is_alive():
            process.kill()


def _serve_in_child(parents, addresses, commands, pipe, seed) -> None:  # type: ignore[no-untyped-def]
    parents.close()  # else the end of the parent would never show
    serve(addresses, commands, pipe, seed)


class _Start:
    """What `endpoints_of` yields: a function that takes the start."""

    def __call__(self, start: float) -> None: ...


@contextlib.contextmanager
def envoy_in(binary: Path, folder: Path) -> Iterator[subprocess.Popen[bytes]]:
    """Envoy with the bootstrap of this folder while the block lasts."""
    command = [str(binary), "-c", "bootstrap.json", "--concurrency", "1", "--disable-hot-restart"]
    command += ["--log-level", "info", "--log-format", "%E.%F %v", "--file-flush-interval-msec", "200"]
    with (folder / "envoy.log").open("wb") as log:
        process = subprocess.Popen(command, cwd=folder, stdin=subprocess.DEVNULL, stdout=log, stderr=log)
    try:
        yield process
    finally:
        process.terminate()
        try:
            process.wait(10.0)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()


def wait_until_ready(process: subprocess.Popen[bytes], folder: Path) -> float:
    """Waits until Envoy takes requests. When its clusters were made, in seconds since 1970."""
    until = time.monotonic() + READY_SECONDS
    while time.monotonic() < until and process.poll() is None:
        text = (folder / "envoy.log").read_text(errors="replace")
        made = _CLUSTERS_MADE.search(text)
        if made and "starting main dispatch loop" in text and "all clusters initialized" in text:
            return float(f"{made.group(1)}.{made.group(2)}")
        time.sleep(0.02)
    words = (folder / "envoy.log").read_text(errors="replace").strip().splitlines()
    raise EnvoyRefused("\n".join(words[-5:]))


async def _send_and_push(scripts: Sequence[Script], folder: Path, port: int, start: float) -> tuple[list[Sent], float]:
    loop = asyncio.get_running_loop()
    late = 0.0

    def push_at(position: int, number: int) -> None:
        nonlocal late
        at, told = scripts[position].pushes[number]
        late = max(late, time.monotonic() - start - at)
        push(scripts[position], position, told, folder)

    for position, script in enumerate(scripts):
        for number in range(1, len(script.pushes)):
            loop.call_at(start + script.pushes[number][0], push_at, position, number)
    streams = [
        Stream(authority_of(position), script.rate, script.duration, WARM_UP_REQUESTS_SECONDS, script.kinds)
        for position, script in enumerate(scripts)
    ]
    return await send_streams(port, streams, start), late


def _recordings(scripts: Sequence[Script], folder: Path, start: float, sent: Sequence[Sent]) -> list[Recording]:
    recordings = []
    logged = [*_outliers(folder / OUTLIER_LOG), *_checks(folder / CHECK_LOG)]
    for position, (script, of) in enumerate(zip(scripts, sent, strict=True)):
        names = {host.ip: host.name for host in script.hosts}
        events = [
            HostEvent(when - start, names[ip], event)
            for cluster, when, ip, event in logged
            if cluster == authority_of(position) and 0.0 <= when - start <= script.duration
        ]
        requests = [(at, names.get(ip, ""), outcome) for at, ip, outcome, _ in of.requests]
        sessions = [(at, names.get(ip, ""), kind) for at, ip, _, kind in of.requests] if script.keeps_sessions else []
        recordings.append(Recording(_settled(sorted(events, key=lambda event: event.at)), requests, moves_of(sessions)))
    return recordings


def moves_of(requests: Iterable[tuple[float, str, Hashable]]) -> list[float]:
    """When a session's request (sent at, host, session) went to another host than the one before; "" is no host."""
    moves = []
    place: dict[Hashable, str] = {}
    for at, host, session in requests:
        if host and place.setdefault(session, host) != host:
            moves.append(at)
            place[session] = host
    return moves


def _settled(events: list[HostEvent]) -> list[HostEvent]:
    """Of what checks say of a host in one moment, the last: a host may come back and be degraded at once."""
    kept: list[HostEvent] = []
    for event in events:
        same = [
            other
            for other in kept
            if other.host == event.host
            and event.at - other.at < 0.005
            and {other.event, event.event} <= {"healthy", "degraded", "unhealthy"}
        ]
        for other in same:
            kept.remove(other)
        kept.append(event)
    return kept


def _outliers(log: Path) -> Iterator[tuple[str, float, str, str]]:
    for row in _rows(log):
        if row["action"] == "UNEJECT" or row.get("enforced"):
            event = "returned" if row["action"] == "UNEJECT" else "ejected"
            yield row["cluster_name"], _time(row["timestamp"]), row["upstream_url"].rpartition(":")[0], event


_CHECK_EVENTS = {
    "eject_unhealthy_event": "unhealthy",
    "add_healthy_event": "healthy",
    "degraded_healthy_host": "degraded",
    "no_longer_degraded_host": "healthy",
}


def _checks(log: Path) -> Iterator[tuple[str, float, str, str]]:
    for row in _rows(log):
        for key, event in _CHECK_EVENTS.items():
            if key in row:
                yield row["cluster_name"], _time(row["timestamp"]), row["host"]["socket_address"]["address"], event


def _rows(log: Path) -> Iterator[dict]:  # type: ignore[type-arg]
    if log.exists():
        for line in log.read_text().splitlines():
            yield json.loads(line)


def _time(text: str) -> float:
    return datetime.fromisoformat(text.replace("Z", "+00:00")).timestamp()
