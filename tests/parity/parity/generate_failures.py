"""Endpoints of a random configuration that fail, and retries that meet them."""

import random
from typing import Any

Json = dict[str, Any]


def add_failures(scenario: Json, draw: random.Random) -> None:
    """Some configurations with routes get failing endpoints of one service, and a retry policy."""
    if "routes" not in scenario or draw.random() < 0.7:
        return
    service = scenario["services"][0]
    first = f"{service['name']}-1"
    scenario["timeline"] = [
        {"at": "0s", "service": service["name"], "endpoints": [first], "fails": draw.choice(["100%", "50%"])}
    ]
    policy: Json = {
        "retry_on": "5xx",
        "num_retries": draw.randint(1, 3),
        "retry_back_off": {"base_interval": "0.001s"},  # nobody waits longer than he must
    }
    if draw.random() < 0.5:
        policy["retry_host_predicate"] = [
            {
                "name": "envoy.retry_host_predicates.previous_hosts",
                "typed_config": {
                    "@type": "type.googleapis.com/envoy.extensions.retry.host.previous_hosts.v3.PreviousHostsPredicate"
                },
            }
        ]
        policy["host_selection_retry_max_attempts"] = draw.choice([1, 3, 5])
    for route in scenario["routes"]:
        route["route"]["retry_policy"] = policy
