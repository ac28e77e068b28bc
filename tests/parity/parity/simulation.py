"""What the simulation's requests did in a case's epoch: the other side where no closed form exists."""

from collections import Counter
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import Any

from parity.case import NO_HOST, Case, Place, place_of, rows_of
from parity.program import Spillway

SEED = 1
OUTCOMES = ("ok", "no_healthy_upstream", "upstream_error", "timeout", "overflow", "connect_failure")


@dataclass
class Simulated:
    """`requests`: by first attempt."""

    requests: Counter[Place] = field(default_factory=Counter)
    attempts: Counter[Place] = field(default_factory=Counter)
    outcomes: Counter[str] = field(default_factory=Counter)
    of_client: int = 0  # requests to all services

    @property
    def sent(self) -> int:
        """Requests to the case's service."""
        return sum(self.outcomes.values())


def simulate(spillway: Spillway, case: Case) -> Simulated:
    """The counts of the case's epoch. Every scenario is played once."""
    results = _played(spillway, case.scenario)
    key = (case.epoch, case.client, case.service)
    simulated = Simulated()
    for row in rows_of(results, "shares", key):
        simulated.requests[place_of(row)] += row["requests"]
        simulated.attempts[place_of(row)] += row["attempts"]
    for row in rows_of(results, "outcomes", key):
        simulated.requests[NO_HOST] += row["no_healthy_upstream"]
        for outcome in OUTCOMES:
            simulated.outcomes[outcome] += row[outcome]
    start, end = next(
        (epoch["start_s"], epoch["end_s"])
        for epoch in results["epochs"]
        if (epoch["index"], epoch["client"], epoch["service"]) == key
    )
    # Epochs of services that stand beside this one, whole: a service's changes are not the others'.
    simulated.of_client = sum(
        row["sent"] for row in results["outcomes"] if row["client"] == case.client and _within(results, row, start, end)
    )
    return simulated


def _within(results: dict[str, Any], row: dict[str, Any], start: float, end: float) -> bool:
    return any(
        start <= epoch["start_s"] and epoch["end_s"] <= end
        for epoch in results["epochs"]
        if (epoch["index"], epoch["client"], epoch["service"]) == (row["epoch"], row["client"], row["service"])
    )


@cache
def _played(spillway: Spillway, scenario: Path) -> dict[str, Any]:
    return spillway.run(scenario, SEED)
