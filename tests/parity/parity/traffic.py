"""What a case sends, and what came of it."""

import random
from collections import Counter
from dataclasses import dataclass, field

from parity.case import NO_HOST, Case, Place, Sent
from parity.client import Answer, Client, request_bytes

HASH_POLICIES = ("ring_hash.v3.RingHash", "maglev.v3.Maglev")
KEY_REPETITIONS = 2


@dataclass
class Observed:
    """`counts`: of the requests to the case's service. `keys`: where each kind of request went, each time.
    `totals`: of all requests, whatever service they were for."""

    counts: Counter[Place] = field(default_factory=Counter)
    keys: dict[str, list[Place]] = field(default_factory=dict)
    totals: Counter[Place] = field(default_factory=Counter)
    strangers: Counter[str] = field(default_factory=Counter)
    statuses: Counter[int] = field(default_factory=Counter)


def is_decided_by_keys(case: Case) -> bool:
    """Whether every request says itself, by its hash, where it goes."""
    policies = str(case.clusters)
    routes = case.virtual_host["routes"]
    hashed = all(_is_hashed(kind, routes) for kind in case.requests)
    return hashed and any(policy in policies for policy in HASH_POLICIES)


def send(case: Case, client: Client, authority: str, number: int, seed: int) -> Observed:
    """Sends so many requests, or each key a few times, and sorts the answers by place."""
    wire = [request_bytes(authority, kind.headers) for kind in case.requests]
    if is_decided_by_keys(case):
        order = list(range(len(wire))) * KEY_REPETITIONS
    elif len(wire) == 1:
        order = [0] * number
    else:
        weights = [kind.weight for kind in case.requests]
        order = random.Random(seed).choices(range(len(wire)), weights, k=number)
    observed = Observed()
    for kind, answer in zip(order, client.send_all([wire[kind] for kind in order]), strict=True):
        _note(case, observed, case.requests[kind].name, answer)
    return observed


def _note(case: Case, observed: Observed, kind: str, answer: Answer) -> None:
    observed.statuses[answer.status] += 1
    if answer.host is None:
        place = NO_HOST
    elif answer.host in case.places:
        place = case.places[answer.host]
    else:
        observed.strangers[answer.host] += 1
        return
    observed.totals[place] += 1
    cluster = answer.cluster.rpartition("/")[2] if place == NO_HOST else place.cluster
    if cluster in case.members:
        observed.counts[place] += 1
        observed.keys.setdefault(kind, []).append(place)


def _is_hashed(kind: Sent, routes: list[dict[str, object]]) -> bool:
    """Whether a header policy of some route finds the header in the request."""
    names = {name.lower() for name, _ in kind.headers}
    for route in routes:
        action = route["route"]
        assert isinstance(action, dict)
        for policy in action.get("hash_policy", []):
            header = policy.get("header", {}).get("header_name", "").lower()
            if header in names:
                return True
    return False
