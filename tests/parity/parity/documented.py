"""The scenarios that the house comes with."""

from pathlib import Path

from parity.case import Case, cases_of
from parity.paths import DOCUMENTED
from parity.program import Spillway

# By file: why a real Envoy is not asked.
LEFT_OUT: dict[str, str] = {
    "dead-host-without-checks.yaml": "many retries at once, which a circuit breaker stops; here one at a time",
    "overprovisioning-seed.yaml": "profile seed: what Envoy 1.6 did",
    "priority-three-levels-seed.yaml": "profile seed: what Envoy 1.6 did",
}


def documented_scenarios() -> list[Path]:
    """Every documented scenario that a real Envoy can judge, in the order of their names."""
    return [file for file in sorted(DOCUMENTED.glob("*.yaml")) if file.name not in LEFT_OUT]


def documented_cases(spillway: Spillway) -> list[Case]:
    """A case for every client and row."""
    return [case for file in documented_scenarios() for case in cases_of(spillway, file, file.stem)]
