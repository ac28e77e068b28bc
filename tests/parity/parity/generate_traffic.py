"""The requests of a random configuration."""

import random
from typing import Any

Json = dict[str, Any]


def add_traffic(scenario: Json, target: str, draw: random.Random) -> None:
    """Completes the scenario's client."""
    del draw
    scenario["clients"][0]["workload"]["service"] = target
