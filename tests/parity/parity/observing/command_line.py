"""The command line, and how a bundle of worlds is played and judged."""

import argparse
import json
import shutil
import subprocess
import sys
import time
import urllib.request
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from parity.client import Client, request_bytes
from parity.command_line import EXIT_WHERE_UNAVAILABLE, program_of, say_unavailable
from parity.envoy_binary import VERSION, EnvoyUnavailable, envoy_binary
from parity.envoy_process import EnvoyProcess
from parity.observing.bootstrap import bootstrap, discovery_response, write_assignment
from parity.observing.worlds import DEAD_HOST, DEVIATIONS, SECOND_CLIENT, World, make_world
from parity.paths import BUILD

TOGETHER = 20  # worlds in one Envoy
SETTLE_SECONDS = 1.6  # longer than the update merge window

DESCRIPTION = """\
Plays random clusters on a real Envoy whose endpoints change in between, and asks `spillway compare` whether the counts
of /clusters fit the configuration. They must. Of --deviations more something is hidden in the configuration: a dead
host, health or weights that are others by now, a second client. `compare` must exit 1 and say what it is.
"""


@dataclass(frozen=True)
class Outcome:
    world: World
    good: bool
    words: str
    command: list[str]


def main(arguments: list[str]) -> int:
    options = _parser().parse_args(arguments)
    try:
        envoy = envoy_binary(options.envoy)
    except EnvoyUnavailable as reason:
        say_unavailable(reason, options.envoy)
        return EXIT_WHERE_UNAVAILABLE
    program = None if options.only_record else program_of(options.program)
    planted = [None] * options.runs + [DEVIATIONS[number % len(DEVIATIONS)] for number in range(options.deviations)]
    start = time.monotonic()
    outcomes: list[Outcome] = []
    for begin in range(0, len(planted), TOGETHER):
        worlds = [
            make_world(begin + number, options.seed, options.port + 3, options.port + 4, deviation)
            for number, deviation in enumerate(planted[begin : begin + TOGETHER])
        ]
        folder = BUILD / "observed" / f"bundle-{begin // TOGETHER}"
        if not options.again and begin + TOGETHER > options.recorded:
            play(envoy, folder, worlds, options.port, options.requests)
        if program is not None:
            outcomes += [judge(program, folder, world) for world in worlds]
    return _report(outcomes, options.requests, time.monotonic() - start)


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="tests/parity/observed", description=DESCRIPTION, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--runs", type=int, default=40, metavar="N", help="clusters that must fit (default: 40)")
    parser.add_argument("--deviations", type=int, default=8, metavar="N", help="clusters that must not (default: 8)")
    parser.add_argument("--requests", type=int, default=2000, metavar="N", help="of each cluster (default: 2000)")
    parser.add_argument("--seed", type=int, default=1, metavar="N", help="of the random clusters (default: 1)")
    parser.add_argument("--port", type=int, default=23000, metavar="PORT", help="the first of five (default: 23000)")
    parser.add_argument("--again", action="store_true", help="judge the last recordings of these worlds again")
    parser.add_argument(
        "--recorded", type=int, default=0, metavar="N", help="judge the last recordings of the first N again (default: 0)"
    )
    parser.add_argument("--only-record", action="store_true", help="judge nothing yet")
    parser.add_argument("--program", type=Path, metavar="FILE", help="the spillway to ask")
    parser.add_argument("--envoy", default=VERSION, metavar="VERSION", help=f"of the package (default: {VERSION})")
    return parser


def play(binary: Path, folder: Path, worlds: list[World], port: int, requests: int) -> None:
    """Writes into `folder` what a user would have: the configuration, /clusters before and after, the access log."""
    shutil.rmtree(folder, ignore_errors=True)
    (folder / "eds").mkdir(parents=True)
    (folder / "dump").mkdir()
    for world in worlds:
        write_assignment(folder, world.name, world.first, 1)
        dumped = json.dumps(discovery_response(world.dumped, 1))
        (folder / "dump" / f"{world.name}.json").write_text(dumped)
    (folder / "bootstrap.json").write_text(json.dumps(bootstrap(worlds, port, port + 3)))
    with EnvoyProcess(binary, folder, port + 1):
        _keep(folder, "before", port)
        for world in worlds:
            _send(world, port, requests // 2)
        for world in worlds:
            if world.second != world.first:
                write_assignment(folder, world.name, world.second, 2)
        time.sleep(SETTLE_SECONDS)
        for world in worlds:
            _send(world, port, requests - requests // 2)
        _keep(folder, "after", port)


def _send(world: World, port: int, count: int) -> None:
    request = request_bytes("parity", [(":path", f"/{world.name}/")])
    client = Client(port)
    # Envoy closes a connection that brought several requests after two answers of its own.
    if world.deviation == DEAD_HOST:
        for _ in range(count):
            client.send_all([request])
    else:
        client.send_all([request] * count)
    client.close()
    if world.deviation == SECOND_CLIENT:
        other = Client(port + 2)
        other.send_all([request] * (count // 3))
        other.close()


def _keep(folder: Path, moment: str, port: int) -> None:
    pages = {"clusters.txt": "/clusters", "stats.txt": "/stats", "server_info.json": "/server_info"}
    for name, page in pages.items():
        with urllib.request.urlopen(f"http://127.0.0.1:{port + 1}{page}", timeout=20) as answer:
            (folder / f"{moment}.{name}").write_bytes(answer.read())


def judge(program: Path, folder: Path, world: World) -> Outcome:
    """What `spillway compare` says, and whether that is what is so."""
    command = [str(program), "compare", str(folder / "bootstrap.json"), str(folder / "dump" / f"{world.name}.json")]
    for moment in ("before", "after"):
        command += ["--clusters", str(folder / f"{moment}.clusters.txt")]
        command += ["--stats", str(folder / f"{moment}.stats.txt")]
    command += ["--server-info", str(folder / "after.server_info.json"), "--cluster", world.name, "-o", "json"]
    if world.deviation == SECOND_CLIENT:
        command += ["--access-log", str(folder / "access.log")]
    ended = subprocess.run(command, capture_output=True, text=True, timeout=120, check=False)
    if ended.returncode not in (0, 1):
        return Outcome(world, False, f"exit {ended.returncode}: {ended.stderr.strip()}", command)
    cluster = json.loads(ended.stdout)["clusters"][0]
    words = f"{cluster['verdict']}, chances {[test['chance'] for test in cluster['tests']]}"
    if world.deviation is None:
        return Outcome(world, ended.returncode == 0 and cluster["verdict"] == "fits", words, command)
    return Outcome(world, ended.returncode == 1 and says(cluster, world), f"{words}: {told(cluster)}", command)


def says(cluster: dict[str, Any], world: World) -> bool:
    """Whether the planted deviation is named."""
    if world.deviation == SECOND_CLIENT:
        return any(
            reason["reason"] == "another_client" and reason["explains"] and reason["seen"]
            for reason in cluster["reasons"]
        )
    if world.deviation == DEAD_HOST:
        return any(
            reason["reason"] == "connect_failures" and reason["explains"] and world.about[0] in reason["text"]
            for reason in cluster["reasons"]
        )
    what = "weight" if world.deviation == "weights" else "EDS health"
    return any(one["host"] == world.about[0] and one["what"] == what for one in cluster["differences"])


def told(cluster: dict[str, Any]) -> str:
    texts = [reason["text"] for reason in cluster["reasons"] if reason["explains"]]
    texts += [f"{one['what']} of {one['host']}: {one['configured']}, {one['held']}" for one in cluster["differences"]]
    return "; ".join(texts) or "nothing"


def _report(outcomes: list[Outcome], requests: int, seconds: float) -> int:
    bad = [outcome for outcome in outcomes if not outcome.good]
    for outcome in bad:
        what = outcome.world.deviation or "should fit"
        print(f"{outcome.world.name} ({what}): {outcome.words}\n  {' '.join(outcome.command)}")
    for deviation in (None, *DEVIATIONS):
        of_kind = [outcome for outcome in outcomes if outcome.world.deviation == deviation]
        if of_kind:
            good = sum(outcome.good for outcome in of_kind)
            print(f"{deviation or 'nothing hidden'}: {good} of {len(of_kind)} as it is")
    print(f"{requests} requests each, {seconds:.0f} s")
    return 1 if bad else 0
