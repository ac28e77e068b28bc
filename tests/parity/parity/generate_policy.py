"""The load-balancing policy of a random configuration."""

import random
from typing import Any

Json = dict[str, Any]


def add_policy(
    cluster: Json, common: Json, locality: Json | None, groups: list[Json], draw: random.Random
) -> None:
    """Gives the cluster a policy, and `locality` where that policy wants it."""
    del groups
    cluster["lb_policy"] = draw.choice(["ROUND_ROBIN", "RANDOM"])
    common.update(locality or {})
