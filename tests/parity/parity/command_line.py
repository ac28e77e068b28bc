"""The command line of the parity program."""

import argparse
import os
import random
import signal
import sys
import time
from pathlib import Path

from parity.case import Case, cases_of
from parity.documented import LEFT_OUT, documented_cases, documented_scenarios, mesh_scenarios
from parity.envoy_binary import VERSION, EnvoyUnavailable, envoy_binary
from parity.generate import write_scenarios
from parity.generate_kuma import generate_mesh
from parity.generate_istio import write_meshes
from parity.judge import FAMILY_WISE_ALPHA, Verdict
from parity.meshes import MeshVerdict, judge_mesh
from parity.paths import BUILD, FAILED, PROGRAMS
from parity.program import Spillway, SpillwayRefused
from parity.session import Settings, judge_all

DEFAULT_GENERATED = 40
DEFAULT_MESHES = 200
SAMPLED_MESHES = 8  # of Kuma, beside the documented scenarios
# Kinds of requests and tests of a random mesh, at most.
TESTS_A_MESH = 9
DEFAULT_SEED = 1
DEFAULT_REQUESTS = 4000
DEFAULT_PORT = 23400
EXIT_WHERE_UNAVAILABLE = 1 if os.environ.get("CI") == "true" else 0

DESCRIPTION = f"""\
Lets a real Envoy (default: {VERSION}) judge Spillway. Every scenario is exported as a bootstrap, the Envoy started on loopback,
the requests of the workload sent to it, and the answers held against `spillway share`: for ring hash and maglev every
key must reach the same endpoint; for the rest a G-test (all together fail by accident once in a million) must not
speak against the exact shares; and where the exact share is 0 nothing may arrive.
"""

EXAMPLES = """\
examples:
  tests/parity/run                                   every documented scenario, 40 generated ones, 8 random meshes
  tests/parity/run --meshes --requests 1000          what Kuma's and Istio's documents make of their proxies: the
                                                     documented ones, and 100 random meshes of each
  tests/parity/run --meshes --sample 20              a sample of these, in less than a minute
  tests/parity/run --generate 500 --seed 7           500 others
  tests/parity/run --istio 20                        20 meshes of Istio's documents
  tests/parity/run my.yaml --client shop --at 20s    one scenario of yours, at one moment

exit codes: 0 everything agrees (or Envoy cannot be installed, and CI is not `true`)   1 something differs   2 bad usage
            130 interrupted: what was judged by then is printed
"""


def main(arguments: list[str]) -> int:
    options = _parser().parse_args(arguments)
    # Ends like an interrupt, so that no Envoy is left behind and what was judged by then is told.
    signal.signal(signal.SIGTERM, signal.getsignal(signal.SIGINT))
    try:
        envoy = envoy_binary(options.envoy)
    except EnvoyUnavailable as reason:
        say_unavailable(reason, options.envoy)
        return EXIT_WHERE_UNAVAILABLE
    spillway = Spillway(program_of(options.program))
    start = time.monotonic()
    try:
        cases = _cases(options, spillway)
    except SpillwayRefused as refusal:
        print(refusal, file=sys.stderr)
        return 2
    settings = Settings(envoy, spillway, BUILD / f"run-{options.port}", options.port, options.requests, options.seed)
    verdicts = judge_all(settings, cases, _say_progress)
    if len(verdicts) == len(cases) and _kuma_meshes(options):
        settled = [_judge_kuma(settings, number, _kuma_meshes(options)) for number in _kuma_meshes(options)]
        return max(_report_meshes(settled, options), _report(verdicts, options, time.monotonic() - start))
    if len(verdicts) < len(cases):
        print(f"INTERRUPTED: {len(verdicts)} of {len(cases)} cases were judged")
        _report(verdicts, options, time.monotonic() - start)
        return 128 + signal.SIGINT
    return _report(verdicts, options, time.monotonic() - start)


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="tests/parity/run",
        description=DESCRIPTION,
        epilog=EXAMPLES,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("scenarios", nargs="*", type=Path, help="scenario files to judge instead of the usual ones")
    parser.add_argument("--client", help="of the scenarios given, only this client")
    parser.add_argument("--at", metavar="TIME", help="of the scenarios given, only the epoch that begins then: 20s")
    parser.add_argument("--generate", type=_count, metavar="N", help="judge N random configurations and nothing else")
    parser.add_argument(
        "--meshes",
        type=_count,
        nargs="?",
        const=DEFAULT_MESHES,
        metavar="N",
        help=f"judge the documented scenarios of Kuma and Istio and N random meshes (default: {DEFAULT_MESHES})",
    )
    parser.add_argument("--mesh", type=int, metavar="NUMBER", help="judge only this random mesh of Kuma's documents")
    parser.add_argument("--sample", type=_count, metavar="N", help="of --meshes, N cases and N random meshes of Kuma")
    parser.add_argument("--istio", type=_count, metavar="N", help="judge N random meshes of Istio's documents instead")
    parser.add_argument("--seed", type=int, default=DEFAULT_SEED, help="of the random configurations (default: 1)")
    parser.add_argument(
        "--requests", type=_count, default=DEFAULT_REQUESTS, help=f"a case (default: {DEFAULT_REQUESTS})"
    )
    parser.add_argument(
        "--port", type=int, default=DEFAULT_PORT, help=f"the first of four on loopback (default: {DEFAULT_PORT})"
    )
    parser.add_argument("--envoy", default=VERSION, metavar="VERSION", help=f"of Envoy (default: {VERSION})")
    parser.add_argument("--program", type=Path, help="the spillway program (default: that of build/default)")
    parser.add_argument("--verbose", action="store_true", help="a line for every case, not only for those that differ")
    return parser


def _count(text: str) -> int:
    number = int(text)
    if number < 1:
        raise argparse.ArgumentTypeError("must be at least 1")
    return number


def program_of(given: Path | None) -> Path:
    """The spillway program: the given one, or the one that was built."""
    for candidate in (given,) if given else PROGRAMS:
        if candidate.exists():
            return candidate.resolve()
    sys.exit(f"no spillway program at {given or PROGRAMS[0]}: build it first, or say --program")


def _cases(options: argparse.Namespace, spillway: Spillway) -> list[Case]:
    if options.scenarios:
        found = [case for file in options.scenarios for case in cases_of(spillway, file.resolve(), file.stem)]
        return [case for case in found if options.client in (None, case.client) and options.at in (None, case.at)]
    if options.mesh is not None:
        return []
    if options.meshes:
        number = options.sample or options.meshes // 2
        istio = write_meshes(BUILD / "generated", max(1, number // 4) if options.sample else number, options.seed)
        found = documented_cases(spillway, mesh_scenarios())
        found += [case for file in istio for case in cases_of(spillway, file, file.stem)]
        return random.Random(options.seed).sample(found, min(options.sample or len(found), len(found)))
    if options.istio:
        files = write_meshes(BUILD / "generated", options.istio, options.seed)
        return [case for file in files for case in cases_of(spillway, file, file.stem)]
    documented = [] if options.generate else documented_cases(spillway, documented_scenarios())
    files = write_scenarios(BUILD / "generated", options.generate or DEFAULT_GENERATED, options.seed)
    return documented + [case for file in files for case in cases_of(spillway, file, file.stem)]


def _kuma_meshes(options: argparse.Namespace) -> list[int]:
    """Numbers of the random meshes of Kuma's documents that are judged."""
    if options.mesh is not None:
        return [options.mesh]
    if options.scenarios or options.generate or options.istio:
        return []
    numbers = range((options.meshes or DEFAULT_MESHES) // 2)
    wanted = options.sample or (len(numbers) if options.meshes else SAMPLED_MESHES)
    return sorted(random.Random(options.seed).sample(numbers, min(wanted, len(numbers))))


def _judge_kuma(settings: Settings, number: int, numbers: list[int]) -> MeshVerdict:
    _say_progress(f"mesh {number}")
    alpha = FAMILY_WISE_ALPHA / (len(numbers) * TESTS_A_MESH)
    return judge_mesh(settings, generate_mesh(settings.seed, number), settings.folder / f"mesh-{number}", alpha)


def _report_meshes(verdicts: list[MeshVerdict], options: argparse.Namespace) -> int:
    _say_progress("")
    for verdict in verdicts:
        if verdict.problems:
            print(f"DIFFERS {verdict.name}")
            print("\n".join(f"  {problem}" for problem in verdict.problems[:6]))
            print(f"  replay: tests/parity/run --mesh {verdict.name.rpartition('/')[2]} --seed {options.seed}")
        elif options.verbose:
            print(f"agrees  {verdict.name}: {verdict.refused or f'{verdict.kinds} kinds of requests'}")
    judged = [verdict for verdict in verdicts if not verdict.refused]
    good = sum(not verdict.problems for verdict in judged)
    print(
        f"random meshes of Kuma: {good} of {len(judged)} agree, in {sum(one.kinds for one in judged)} kinds of requests; "
        f"{sum(one.requests for one in judged)} requests; {len(verdicts) - len(judged)} meshes are refused"
    )
    return 0 if good == len(judged) else 1


def _say_progress(text: str) -> None:
    if sys.stderr.isatty():
        print(f"\r{text}\x1b[K", end="", file=sys.stderr, flush=True)


def say_unavailable(reason: EnvoyUnavailable, version: str) -> None:
    """Says so in a way that cannot be overlooked."""
    bar = "=" * 100
    print(f"{bar}\nPARITY NOT TESTED: Envoy {version} cannot be installed here.\n{reason}\n{bar}", file=sys.stderr)


def _report(verdicts: list[Verdict], options: argparse.Namespace, seconds: float) -> int:
    _say_progress("")
    bad = [verdict for verdict in verdicts if verdict.problems]
    for verdict in verdicts:
        if verdict.problems:
            print(f"DIFFERS {verdict.case.name}")
            print("\n".join(f"  {problem}" for problem in verdict.problems[:6]))
            print(f"  replay: {_kept(verdict.case).replay}")
        elif verdict.left_out:
            print(f"left out {verdict.case.name}: {verdict.left_out}")
        elif options.verbose:
            print(
                f"agrees  {verdict.case.name}: {verdict.requests} requests, smallest p-value "
                f"{verdict.smallest_p_value:.2g}" + (f", {verdict.keys} keys" if verdict.keys else "")
            )
    if not any((options.scenarios, options.generate, options.meshes, options.istio, options.mesh is not None)):
        print(
            f"{len(documented_scenarios())} documented scenarios; left out: "
            + "; ".join(f"{name} ({reason})" for name, reason in LEFT_OUT.items())
        )
    judged = [verdict for verdict in verdicts if verdict.left_out is None]
    requests = sum(verdict.requests for verdict in verdicts)
    keys = sum(verdict.keys for verdict in verdicts)
    print(
        f"parity with Envoy {options.envoy}: {len(judged) - len(bad)} of {len(judged)} cases agree; "
        f"{requests} requests, {keys} keys, {seconds:.0f} s"
    )
    return 1 if bad or not (judged or options.mesh is not None) else 0


def _kept(case: Case) -> Case:
    """The case with its scenario where no later run takes it away."""
    if BUILD in case.scenario.parents:
        FAILED.mkdir(parents=True, exist_ok=True)
        kept = FAILED / case.scenario.name
        kept.write_bytes(case.scenario.read_bytes())
        case.scenario = kept
    return case
