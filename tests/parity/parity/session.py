"""Cases in, verdicts out: exports them, starts Envoys, sends, judges."""

import shutil
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from parity.bundle import authority_of, bundles, cluster_prefix, write_bundle
from parity.case import Case
from parity.client import Clients
from parity.envoy_process import EnvoyProcess, EnvoyRefused
from parity.judge import FAMILY_WISE_ALPHA, Verdict, judge, needs_simulation
from parity.over_time import over_time
from parity.program import Spillway, SpillwayRefused
from parity.simulation import simulate
from parity.traffic import Observed, send

TESTS_A_CASE = 4


@dataclass(frozen=True)
class Settings:
    """How a session goes. Four ports from `port` on are used, on loopback."""

    envoy: Path
    spillway: Spillway
    folder: Path
    port: int
    requests: int
    seed: int


def judge_all(settings: Settings, cases: list[Case], say: Callable[[str], None]) -> list[Verdict]:
    """A verdict for every case, in no particular order; interrupted, for those that were judged by then."""
    shutil.rmtree(settings.folder, ignore_errors=True)
    verdicts: list[Verdict] = []
    exported: list[Case] = []
    alpha = FAMILY_WISE_ALPHA / max(1, len(cases) * TESTS_A_CASE)
    try:
        for number, case in enumerate(cases):
            try:
                case.export(settings.spillway, settings.port, settings.folder / f"case-{number}")
                reason = over_time(case)
                if reason is None:
                    exported.append(case)
                else:
                    verdicts.append(Verdict(case, left_out=reason))
            except SpillwayRefused as refusal:
                verdicts.append(Verdict(case, problems=[str(refusal)]))
        for number, group in enumerate(bundles(exported)):
            say(f"{len(verdicts)} of {len(cases)} judged")
            verdicts += _judge_bundle(settings, group, settings.folder / f"bundle-{number}", alpha)
    except KeyboardInterrupt:
        say("")
    return verdicts


def _judge_bundle(settings: Settings, cases: list[Case], folder: Path, alpha: float) -> list[Verdict]:
    write_bundle(cases, folder)
    try:
        with EnvoyProcess(settings.envoy, folder, settings.port + 1) as process:
            observed = _send_to_all(settings, cases)
            totals = process.clusters()
    except EnvoyRefused as refusal:
        if len(cases) == 1:
            return [Verdict(cases[0], problems=[f"Envoy refuses the bootstrap: {refusal}"])]
        return [
            verdict
            for number, case in enumerate(cases)
            for verdict in _judge_bundle(settings, [case], folder / str(number), alpha)
        ]
    verdicts: list[Verdict] = []
    for position, (case, seen) in enumerate(zip(cases, observed, strict=True)):
        _note_attempts(case, seen, totals, cluster_prefix(cases, position))
        simulated = simulate(settings.spillway, case) if needs_simulation(case) else None
        verdicts.append(judge(case, seen, alpha, simulated))
        if not case.retries and not case.forgets_hosts:
            _compare_totals(verdicts[-1], seen)
    return verdicts


def _send_to_all(settings: Settings, cases: list[Case]) -> list[Observed]:
    clients = Clients()
    try:
        return [
            send(case, clients, authority_of(position), _requests(settings, case), settings.seed + position)
            for position, case in enumerate(cases)
        ]
    finally:
        clients.close()


def _requests(settings: Settings, case: Case) -> int:
    """Retries wait before they are sent, 25 ms and more, so that fewer requests must do."""
    return min(settings.requests, 1000) if case.retries and case.some_host_fails else settings.requests


def _note_attempts(case: Case, observed: Observed, totals: dict[str, dict[str, int]], prefix: str) -> None:
    for address, place in case.places.items():
        observed.attempts[place] = totals.get(prefix + place.cluster, {}).get(address, 0)


def _compare_totals(verdict: Verdict, observed: Observed) -> None:
    """Envoy's own count of each host must be what its answers said."""
    for place in verdict.case.places.values():
        if observed.attempts[place] != observed.totals[place]:
            verdict.problems.append(
                f"{place}: {observed.totals[place]} answers, but rq_total {observed.attempts[place]}"
            )
            return
