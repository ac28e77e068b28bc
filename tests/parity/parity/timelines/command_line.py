"""The command line of the timelines."""

import argparse
import pickle
import sys
import time
from pathlib import Path

from parity.command_line import EXIT_WHERE_UNAVAILABLE, program_of, say_unavailable
from parity.envoy_binary import VERSION, EnvoyUnavailable, envoy_binary
from parity.paths import BUILD, FAILED
from parity.timelines.generate import write_timelines
from parity.timelines.judge import TOLERANCE_SECONDS, judge, tests_of
from parity.timelines.record import MachineBusy, Recording, record
from parity.timelines.script import Script, read_script
from parity.timelines.simulate import MORE_SIMULATIONS, SIMULATIONS, simulate

DEFAULT_GENERATED = 60
DEFAULT_RUNS = 3
TOGETHER = 20  # in one Envoy
ATTEMPTS = 5

DESCRIPTION = f"""\
Records timelines on a real Envoy and holds `spillway run` of the same scenarios against them: ejections and their
ends, what active checks find, each to {TOLERANCE_SECONDS} s, and the requests by host and outcome in every second.
{TOGETHER} timelines share an Envoy; 60 of them in three runs take three to five minutes.
"""

EXAMPLES = """\
examples:
  tests/parity/timelines                          60 random timelines, three runs each
  tests/parity/timelines --generate 20 --seed 4   others
  tests/parity/timelines my.json --runs 5         one of yours (parity/timelines/script.py says what it may have)
  tests/parity/timelines --again                  judges the last recordings again, with the program as it is now

exit codes: 0 everything agrees   1 something differs   2 bad usage
"""


def main(arguments: list[str]) -> int:
    options = _parser().parse_args(arguments)
    kept = BUILD / "timelines.pickle"
    start = time.monotonic()
    if options.again:
        scripts, recordings = pickle.loads(kept.read_bytes())
    else:
        try:
            envoy = envoy_binary(options.envoy)
        except EnvoyUnavailable as reason:
            say_unavailable(reason, options.envoy)
            return EXIT_WHERE_UNAVAILABLE
        files = options.scenarios or write_timelines(BUILD / "timelines", options.generate, options.seed)
        scripts = [read_script(file.resolve(), number % TOGETHER) for number, file in enumerate(files)]
        recordings = _record_all(envoy, scripts, options)
        kept.write_bytes(pickle.dumps((scripts, recordings)))
    return _judge_all(program_of(options.program), scripts, recordings, options, time.monotonic() - start)


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="tests/parity/timelines",
        description=DESCRIPTION,
        epilog=EXAMPLES,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("scenarios", nargs="*", type=Path, help="timelines to record instead of random ones")
    parser.add_argument("--generate", type=int, default=DEFAULT_GENERATED, metavar="N", help="so many (default: 60)")
    parser.add_argument("--seed", type=int, default=1, help="of the random timelines (default: 1)")
    parser.add_argument("--runs", type=int, default=DEFAULT_RUNS, help="recordings of each timeline (default: 3)")
    parser.add_argument("--again", action="store_true", help="record nothing, judge the last recordings")
    parser.add_argument("--envoy", default=VERSION, metavar="VERSION", help=f"of Envoy (default: {VERSION})")
    parser.add_argument("--port", type=int, default=24500, help="the first of two on loopback (default: 24500)")
    parser.add_argument("--program", type=Path, help="the spillway program (default: that of build/default)")
    parser.add_argument("--verbose", action="store_true", help="a line for every timeline, not only for those that differ")
    return parser


def _record_all(envoy: Path, scripts: list[Script], options: argparse.Namespace) -> list[list[Recording]]:
    recordings: list[list[Recording]] = [[] for _ in scripts]
    for first in range(0, len(scripts), TOGETHER):
        group = scripts[first : first + TOGETHER]
        for run in range(options.runs):
            for position, recording in enumerate(_record_once(envoy, group, options.port, f"{first}/{run}")):
                recordings[first + position].append(recording)
    return recordings


def _record_once(envoy: Path, scripts: list[Script], port: int, seed: str) -> list[Recording]:
    for attempt in range(1, ATTEMPTS + 1):
        try:
            return record(envoy, scripts, BUILD / f"timelines-{port}", port, seed)
        except MachineBusy as reason:
            print(f"recorded again: {reason}", file=sys.stderr)
            if attempt == ATTEMPTS:
                raise
    raise AssertionError("not reached")


def _judge_all(
    program: Path, scripts: list[Script], recordings: list[list[Recording]], options: argparse.Namespace, spent: float
) -> int:
    start = time.monotonic()
    tests = sum(tests_of(script) * len(of) for script, of in zip(scripts, recordings, strict=True))
    bad = 0
    events = 0
    for script, of in zip(scripts, recordings, strict=True):
        simulated = simulate(program, script, BUILD / "simulated")
        differences = judge(script, of, simulated, tests)
        if differences:
            simulated += simulate(program, script, BUILD / "simulated", range(SIMULATIONS, MORE_SIMULATIONS))
            differences = judge(script, of, simulated, tests)
        events += sum(len(recording.events) for recording in of)
        if differences:
            bad += 1
            FAILED.mkdir(parents=True, exist_ok=True)
            kept = FAILED / script.file.name
            kept.write_bytes(script.file.read_bytes())
            print(f"DIFFERS {script.name}")
            print("\n".join(f"  {difference.text}" for difference in differences[:8]))
            print(f"  replay: tests/parity/timelines {kept}")
        elif options.verbose:
            print(f"agrees  {script.name}: {', '.join(str(len(recording.events)) for recording in of)} events")
    requests = sum(len(recording.requests) for of in recordings for recording in of)
    print(
        f"timelines on Envoy {options.envoy}: {len(scripts) - bad} of {len(scripts)} agree; "
        f"{len(recordings[0])} runs each, "
        f"{events} events, {requests} requests, {spent + time.monotonic() - start:.0f} s"
    )
    return 1 if bad else 0
