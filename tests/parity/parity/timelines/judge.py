"""Whether what a real Envoy did fits what is simulated: events one by one, requests by slices of time.

Hosts that nothing in the scenario tells apart are compared by what happened to them, not by name: which of two failing
hosts an answer meets first is chance; of their counts in a slice the largest is compared with the largest, and so on. Events of a host agree if some simulation has the same ones in the same order, each
within TOLERANCE_SECONDS.
TOLERANCE_SECONDS covers what simulations cannot draw: timers that are up to 2 ms late in each period, which adds up to
60 ms in a recording, and answers that a busy machine delays by up to 50 ms; a recording that was later than that is made
again.

Counts of requests by host and by outcome, and of sessions that go to another host, in slices of a second, agree unless they are further from the simulations'
mean than chance explains: Student's t for one further draw, all tests of a session together wrong once in a thousand.
A count that some simulation has as well agrees whatever the mean: where a chain of accidents has two ends, no normal
distribution describes them.

A timeline differs if at least half of its runs do: one request that a busy machine delays can end a run of failures.
"""

import math
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

from parity.timelines.record import HostEvent, Recording
from parity.timelines.script import Script

TOLERANCE_SECONDS = 0.15
SLICE_SECONDS = 1.0
# A moment that falls TOLERANCE_SECONDS later moves requests from slice to slice; beside that, what a round robin leaves.
LEAST_DEVIATION = 1.0
FAMILY_WISE_ALPHA = 1e-3

Cell = tuple[int, str, str]  # slice, "host", "outcome" or "session", which; of hosts that are alike the first name has the largest


@dataclass(frozen=True)
class Difference:
    """What does not fit, in words."""

    text: str


def judge(script: Script, real: Sequence[Recording], simulated: Sequence[Recording], tests: int) -> list[Difference]:
    """What differs between recordings and simulations of a timeline, of a session with so many `tests`."""
    real = [_renamed(script, recording) for recording in real]
    alike = [_renamed(script, recording) for recording in simulated]
    found = [
        [
            Difference(f"run {number + 1}: {text}")
            for text in [*_events(script, recording, alike), *_requests(script, recording, alike, tests)]
        ]
        for number, recording in enumerate(real)
    ]
    differing = [differences for differences in found if differences]
    return [difference for differences in differing for difference in differences] if 2 * len(differing) >= len(real) else []


def _renamed(script: Script, recording: Recording) -> Recording:
    """Hosts that are alike get their names in the order of what happened to them."""
    names: dict[str, str] = {}
    for hosts in _alike(script):
        failures = Counter(host for _, host, outcome in recording.requests if outcome != "ok")

        def history(host: str, failures: Counter[str] = failures) -> tuple[list[tuple[float, str]], int]:
            return _of(recording, host), failures[host]

        names.update(zip(sorted(hosts, key=history), hosts, strict=True))
    return Recording(
        [HostEvent(event.at, names[event.host], event.event) for event in recording.events],
        [(at, names.get(host, host), outcome) for at, host, outcome in recording.requests],
        recording.moves,
    )


def _alike(script: Script) -> list[list[str]]:
    """The names of the hosts, those together that have the same place and get the same commands."""
    groups: dict[str, list[str]] = {}
    for host in script.hosts:
        commands = [(at, behaviour) for at, name, behaviour in script.behaviours if name == host.name]
        told = [(at, of[host.name]) for at, of in script.pushes]
        groups.setdefault(repr((host.zone, host.priority, host.weight, host.at_first, commands, told)), []).append(host.name)
    return list(groups.values())


def tests_of(script: Script) -> int:
    """How many counts of a recording are compared."""
    return len(_cells(script))


def _events(script: Script, real: Recording, simulated: Sequence[Recording]) -> list[str]:
    found = []
    for host in script.hosts:
        ours = _of(real, host.name)
        if not any(_fit(ours, _of(one, host.name), script.duration) for one in simulated):
            found.append(f"{host.name}: real {_text(ours)}; simulated {_text(_of(simulated[0], host.name))}")
    return found


def _of(recording: Recording, host: str) -> list[tuple[float, str]]:
    return [(event.at, event.event) for event in recording.events if event.host == host]


def _fit(real: list[tuple[float, str]], simulated: list[tuple[float, str]], end: float) -> bool:
    """Events at the very end may be missing on either side."""
    sides = [[event for event in side if event[0] < end - TOLERANCE_SECONDS] for side in (real, simulated)]
    length = max(len(side) for side in sides)
    first, second = real[:length], simulated[:length]
    return (
        len(first) == len(second)
        and [event for _, event in first] == [event for _, event in second]
        and all(abs(one - other) <= TOLERANCE_SECONDS for (one, _), (other, _) in zip(first, second, strict=True))
    )


def _text(events: list[tuple[float, str]]) -> str:
    return ", ".join(f"{event} {at:.2f}" for at, event in events) or "nothing"


_OUTCOMES = ("ok", "upstream_error", "timeout", "overflow", "connect_failure", "no_healthy_upstream", "lost")


def _cells(script: Script) -> list[Cell]:
    slices = range(math.ceil(script.duration / SLICE_SECONDS))
    hosts = [host.name for host in script.hosts]
    moves = [(part, "session", "moves of sessions") for part in slices] if script.keeps_sessions else []
    return [
        *((part, "host", name) for part in slices for name in hosts),
        *((part, "outcome", outcome) for part in slices for outcome in _OUTCOMES),
        *moves,
    ]


def _counts(script: Script, recording: Recording) -> Counter[Cell]:
    counts: Counter[Cell] = Counter()
    for at, host, outcome in recording.requests:
        part = max(0, int(at / SLICE_SECONDS))
        if outcome not in ("overflow", "no_healthy_upstream"):
            counts[(part, "host", host)] += 1
        counts[(part, "outcome", outcome)] += 1
    for at in recording.moves:
        counts[(max(0, int(at / SLICE_SECONDS)), "session", "moves of sessions")] += 1
    for part in range(math.ceil(script.duration / SLICE_SECONDS)):
        for hosts in _alike(script):
            ordered = sorted((counts[(part, "host", host)] for host in hosts), reverse=True)
            for host, count in zip(hosts, ordered, strict=True):
                counts[(part, "host", host)] = count
    return counts


def _requests(script: Script, real: Recording, simulated: Sequence[Recording], tests: int) -> list[str]:
    observed = _counts(script, real)
    samples = [_counts(script, one) for one in simulated]
    limit = student_quantile(1.0 - FAMILY_WISE_ALPHA / (2.0 * tests), len(samples) - 1)
    found = []
    for cell in _cells(script):
        values = [sample[cell] for sample in samples]
        mean = sum(values) / len(values)
        deviation = math.sqrt(sum((value - mean) ** 2 for value in values) / (len(values) - 1))
        width = limit * max(deviation, LEAST_DEVIATION) * math.sqrt(1.0 + 1.0 / len(values))
        if abs(observed[cell] - mean) > width and observed[cell] not in range(min(values), max(values) + 1):
            part, _, name = cell
            found.append(
                f"{name} from {part * SLICE_SECONDS:g} s to {(part + 1) * SLICE_SECONDS:g} s: real {observed[cell]}, "
                f"simulated {mean:.1f} +- {width:.1f}"
            )
    return found


def student_quantile(probability: float, freedom: int) -> float:
    """Of Student's distribution, by bisection of its integral."""
    scale = math.exp(math.lgamma((freedom + 1) / 2) - math.lgamma(freedom / 2)) / math.sqrt(freedom * math.pi)

    def upper_tail(value: float) -> float:
        # Simpson's rule over 1/x, which maps the tail to an interval.
        steps = 400
        width = 1.0 / value / steps
        total = 0.0
        for step in range(1, steps + 1):
            point = 1.0 / (step * width)
            density = scale * (1.0 + point * point / freedom) ** (-(freedom + 1) / 2) * point * point
            total += density * (1 if step == steps else 4 if step % 2 else 2)
        return total * width / 3.0

    low, high = 0.5, 1000.0
    for _ in range(60):
        middle = (low + high) / 2
        low, high = (middle, high) if upper_tail(middle) > 1.0 - probability else (low, middle)
    return (low + high) / 2
