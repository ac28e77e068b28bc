"""The verdict on a case: equality where requests say where they go, a G-test where chance does."""

from collections import Counter
from dataclasses import dataclass, field

from parity.case import NO_HOST, Case, Place
from parity.keys import is_decided_by_keys
from parity.simulation import Simulated
from parity.statistics import Fit, g_test, two_sample_g_test
from parity.traffic import Observed

FAMILY_WISE_ALPHA = 1e-6
# Of weighted sums in doubles; two keys that change places move a share by more.
SAME_SHARE = 1e-9


@dataclass
class Verdict:
    """`problems` is empty if the real Envoy and Spillway agree, or nothing could be compared."""

    case: Case
    requests: int = 0
    keys: int = 0
    smallest_p_value: float = 1.0
    problems: list[str] = field(default_factory=list)
    left_out: str | None = None  # why nothing was compared


def judge(case: Case, observed: Observed, alpha: float, simulated: Simulated | None = None) -> Verdict:
    """`alpha`: of each single test. The simulation is asked where no closed form says what Envoy's answers show."""
    verdict = Verdict(case, requests=observed.sent)
    verdict.problems += [
        f"{count} requests to {host}, which the scenario does not have" for host, count in observed.strangers.items()
    ]
    counted = sum(observed.counts.values()) + sum(observed.strangers.values())
    if case.services == 1 and counted < observed.sent:
        lost = observed.sent - counted
        verdict.problems.append(f"{lost} of {observed.sent} requests ended in no cluster of the service")
    if simulated is not None and case.services > 1:
        _judge_split(verdict, observed, simulated, alpha)
    if simulated is not None and not _shares_are_seen(case):
        _judge_against_simulation(verdict, observed, simulated, alpha)
        return verdict
    shares = dict(case.shares or {})
    missing = 1.0 - sum(shares.values())
    if missing > SAME_SHARE:
        shares[NO_HOST] = missing
    if is_decided_by_keys(case):
        _judge_keys(verdict, observed, shares)
    else:
        _judge_counts(verdict, observed.counts, shares, alpha)
    return verdict


def needs_simulation(case: Case) -> bool:
    """Whether something of the case has no closed form."""
    return not _shares_are_seen(case) or case.services > 1


def _shares_are_seen(case: Case) -> bool:
    """Exact shares are those of first attempts; answers show the last."""
    return case.shares is not None and not (case.retries and case.some_host_fails)


def _judge_split(verdict: Verdict, observed: Observed, simulated: Simulated, alpha: float) -> None:
    """How a client's requests are split between its services."""
    mine = sum(observed.counts.values())
    real = {"this": mine, "others": observed.sent - mine}
    expected = {"this": simulated.sent, "others": simulated.of_client - simulated.sent}
    _note_fits(verdict, {"service": two_sample_g_test(real, expected)}, alpha)


def _judge_against_simulation(verdict: Verdict, observed: Observed, simulated: Simulated, alpha: float) -> None:
    """Hosts that refuse connections count no attempts, in Envoy; what became of requests shows them."""
    gone, members = set(verdict.case.gone), verdict.case.members
    attempts = [
        Counter({place: count for place, count in counts.items() if place.cluster in members and place not in gone})
        for counts in (observed.attempts, simulated.attempts)
    ]
    fits = {
        "endpoint, simulated attempts": two_sample_g_test(*attempts),
        "cluster, priority and zone, simulated attempts": two_sample_g_test(*map(_grouped, attempts)),
        "outcome": two_sample_g_test(observed.outcomes, simulated.outcomes),
    }
    _note_fits(verdict, fits, alpha)


def _judge_keys(verdict: Verdict, observed: Observed, shares: dict[Place, float]) -> None:
    """Every key of a workload has a weight of its own, so equal sums by endpoint mean equal maps."""
    seen = [kind for kind in verdict.case.requests if kind.name in observed.keys]
    total = sum(kind.weight for kind in seen)
    sums: Counter[Place] = Counter()
    for kind in seen:
        places = set(observed.keys[kind.name])
        verdict.keys += 1
        if len(places) != 1:
            verdict.problems.append(f"{kind.name} went to {', '.join(map(str, sorted(places, key=str)))}")
            continue
        sums[places.pop()] += kind.weight / total  # type: ignore[assignment]
    for place in sorted({*sums, *shares}, key=str):
        if abs(sums[place] - shares.get(place, 0.0)) > SAME_SHARE:
            verdict.problems.append(f"{place}: keys of {sums[place]:.9f}, exact {shares.get(place, 0.0):.9f}")


def _judge_counts(verdict: Verdict, counts: Counter[Place], shares: dict[Place, float], alpha: float) -> None:
    group_shares: dict[str, float] = {}
    for place, share in shares.items():
        group_shares[place.group] = group_shares.get(place.group, 0.0) + share
    fits = {
        "endpoint": g_test(counts, shares),
        "cluster, priority and zone": g_test(_grouped(counts), group_shares),
    }
    _note_fits(verdict, fits, alpha)
    if verdict.problems:
        verdict.problems.append(_worst(counts, shares))


def _note_fits(verdict: Verdict, fits: dict[str, Fit], alpha: float) -> None:
    for what, fit in fits.items():
        verdict.smallest_p_value = min(verdict.smallest_p_value, fit.p_value)
        if fit.impossible is not None:
            verdict.problems.append(f"by {what}: {fit.impossible}")
        elif fit.p_value < alpha:
            verdict.problems.append(f"by {what}: p-value {fit.p_value:.2g}")


def _grouped(counts: Counter[Place]) -> Counter[str]:
    groups: Counter[str] = Counter()
    for place, count in counts.items():
        groups[place.group] += count
    return groups


def _worst(counts: Counter[Place], shares: dict[Place, float]) -> str:
    """The groups with their shares, the widest differences first."""
    total = max(sum(counts.values()), 1)
    groups: dict[str, list[float]] = {}
    for place in {*counts, *shares}:
        entry = groups.setdefault(place.group, [0.0, 0.0])
        entry[0] += counts[place] / total
        entry[1] += shares.get(place, 0.0)
    widest = sorted(groups.items(), key=lambda item: -abs(item[1][0] - item[1][1]))[:8]
    return "shares that differ most:\n" + "\n".join(
        f"    {name}: real {real:.4%}, exact {exact:.4%}" for name, (real, exact) in widest
    )
