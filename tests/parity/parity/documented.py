"""The scenarios that the house comes with."""

from collections.abc import Iterable
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
# Of Kuma's: a control plane, without clients that send.
WITHOUT_CLIENTS = "cla-cache.yaml"


def documented_scenarios() -> list[Path]:
    """Every documented scenario that a real Envoy can judge, in the order of their names."""
    return [file for file in sorted(DOCUMENTED.glob("*.yaml")) if file.name not in LEFT_OUT]


def mesh_scenarios() -> list[Path]:
    """Those of Kuma and Istio, whose documents become what their proxies are told."""
    files = [file for mesh in ("kuma", "istio") for file in sorted((DOCUMENTED / mesh).glob("*.yaml"))]
    return [file for file in files if file.name != WITHOUT_CLIENTS]


def documented_cases(spillway: Spillway, files: Iterable[Path]) -> list[Case]:
    """A case for every client and row."""
    return [case for file in files for case in cases_of(spillway, file, file.stem)]
