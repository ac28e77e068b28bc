"""The same timelines as `spillway run` has them, many times.

A real Envoy's timers run a millisecond or two late each time, so that its sweeps and checks drift against the commands;
the first host of a round is chance, and so are the order of hosts whose checks or sweeps fall on one moment, and
whether a merge window is over that ends at that moment. Each simulation therefore has draws of its own, commands that
come a little earlier or later, endpoints in another order and windows that win or lose a tie; its results are shifted
and named back.
"""

import csv
import json
import random
import subprocess
from pathlib import Path

from parity.program import SpillwayRefused
from parity.timelines.record import HostEvent, Recording, moves_of
from parity.timelines.script import Json, Script, seconds

SIMULATIONS = 24
# Where a recording fits none of them: what chains of rare accidents need to come up again.
MORE_SIMULATIONS = 200
# How much earlier or later than written the commands come, in seconds: sweeps and checks of a real Envoy drift to later.
EARLIEST = -0.07
LATEST = 0.01
# Checks that begin together end in any order.
CHECK_JITTER = "0.005s"
WINDOW_TIE_SECONDS = 0.01  # checks stray by as much as their jitter


def simulate(program: Path, script: Script, folder: Path, numbers: range = range(SIMULATIONS)) -> list[Recording]:
    """Simulations of a timeline with these numbers, each as if it had been recorded."""
    folder.mkdir(parents=True, exist_ok=True)
    return [_simulation(program, script, folder, number) for number in numbers]


def _simulation(program: Path, script: Script, folder: Path, number: int) -> Recording:
    draw = random.Random(f"{script.name}/{number}")
    shift = draw.uniform(EARLIEST, LATEST) if number > 0 else 0.0
    places = _places(script, draw)
    names = {place: name for name, place in places.items()}
    scenario = json.loads(script.file.read_text())
    for event in scenario.get("timeline", []):
        event["at"] = f"{max(0.0, seconds(event['at']) + shift):.6f}s"
        event["endpoints"] = [places[name] for name in event["endpoints"]]
    for check in scenario["clusters"][0].get("health_checks", []):
        check["initial_jitter"] = CHECK_JITTER
    if number % 2 == 1:
        _end_windows_early(scenario["clusters"][0])
    file, trace, log = folder / "shifted.json", folder / "requests.csv", folder / "happenings.jsonl"
    file.write_text(json.dumps(scenario))
    command = [str(program), "run", str(file), "-o", "json", "--seed", str(number + 1), "--trace", str(trace)]
    command += ["--events", str(log)]
    finished = subprocess.run(command, capture_output=True, text=True, timeout=60, check=False)
    if finished.returncode not in (0, 1):
        raise SpillwayRefused(finished.stderr)
    found = json.loads(finished.stdout).get("host_events", [])
    _check_log([json.loads(line) for line in log.read_text().splitlines()], found)
    events = [HostEvent(row["at_s"] - shift, names[row["endpoint"]], row["event"]) for row in found]
    with trace.open() as lines:
        rows = sorted(
            (float(row["time_s"]) - shift, names.get(row["endpoint"], ""), row["outcome"], row["session"])
            for row in csv.DictReader(lines)
        )
    moves = moves_of((at, host, session) for at, host, _, session in rows if session)
    return Recording(events, [(at, host, outcome) for at, host, outcome, _ in rows], moves)


_LOGGED = ("ejected", "returned", "marked_unhealthy", "marked_healthy")


def logged_of(host_events: list[Json]) -> list[tuple[float, str, str]]:
    """What the log of happenings must hold: time, endpoint and kind. A host that is degraded is healthy there."""
    failed: set[str] = set()
    logged: list[tuple[float, str, str]] = []
    for row in host_events:
        endpoint, event = row["endpoint"], row["event"]
        if event in ("ejected", "returned"):
            logged.append((row["at_s"], endpoint, event))
        elif event == "unhealthy":
            failed.add(endpoint)
            logged.append((row["at_s"], endpoint, "marked_unhealthy"))
        elif endpoint in failed:
            failed.remove(endpoint)
            logged.append((row["at_s"], endpoint, "marked_healthy"))
    return sorted(logged)


def _check_log(happenings: list[Json], host_events: list[Json]) -> None:
    """The log has the events of hosts, which the recordings are held against, and no others."""
    held = sorted((row["start_s"], row["endpoint"], row["kind"]) for row in happenings if row["kind"] in _LOGGED)
    wanted = logged_of(host_events)
    if held != wanted:
        missing = [event for event in wanted if event not in held]
        further = [event for event in held if event not in wanted]
        raise SpillwayRefused(f"happenings are not the events of hosts: missing {missing[:5]}, further {further[:5]}")


def _end_windows_early(cluster: Json) -> None:
    """By so little that it only decides what is exactly a window apart on paper, which is chance in a real Envoy."""
    common = cluster.setdefault("common_lb_config", {})
    window = seconds(common.get("update_merge_window", "1s"))
    if window > 0:
        common["update_merge_window"] = f"{window - WINDOW_TIE_SECONDS:.3f}s"


def _places(script: Script, draw: random.Random) -> dict[str, str]:
    """By name of an endpoint: which one of its group plays it."""
    places: dict[str, str] = {}
    groups: dict[tuple[object, ...], list[str]] = {}
    for host in script.hosts:
        groups.setdefault((host.zone, host.priority, host.weight, host.at_first), []).append(host.name)
    for names in groups.values():
        places.update(zip(names, draw.sample(names, len(names)), strict=True))
    return places
