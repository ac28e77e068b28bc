"""What a case sends, and what came of it."""

import random
from collections import Counter
from dataclasses import dataclass, field

from parity.case import NO_HOST, Case, Place, is_tcp
from parity.client import Answer, Clients, request_bytes
from parity.keys import is_decided_by_keys

KEY_REPETITIONS = 2
# Envoy's %RESPONSE_FLAGS%.
OUTCOME_OF_FLAG = {"UH": "no_healthy_upstream", "UF": "connect_failure", "UO": "overflow", "UT": "timeout"}


@dataclass
class Observed:
    """`counts` and `outcomes`: of the requests to the case's service. `keys`: where each kind of them went, each time.
    `totals`: of all requests, whatever service they were for. `attempts`: Envoy's own count of what hosts got."""

    counts: Counter[Place] = field(default_factory=Counter)
    keys: dict[str, list[Place]] = field(default_factory=dict)
    totals: Counter[Place] = field(default_factory=Counter)
    strangers: Counter[str] = field(default_factory=Counter)
    sent: int = 0
    outcomes: Counter[str] = field(default_factory=Counter)
    attempts: Counter[Place] = field(default_factory=Counter)


def send(case: Case, clients: Clients, authority: str, number: int, seed: int) -> Observed:
    """Sends so many requests, or each key a few times, and sorts the answers by place."""
    if is_decided_by_keys(case):
        order = list(range(len(case.requests))) * KEY_REPETITIONS
    elif len(case.requests) == 1:
        order = [0] * number
    else:
        weights = [kind.weight for kind in case.requests]
        order = random.Random(seed).choices(range(len(case.requests)), weights, k=number)
    tcp = tcp_addresses(case)
    observed = Observed()
    for address in dict.fromkeys(kind.address for kind in case.requests):
        here = [kind for kind in order if case.requests[kind].address == address]
        last = (("connection", "close"),) if address in tcp else ()
        wire = [request_bytes(authority, kind.headers + last) for kind in case.requests]
        client = clients.of(address)
        play = client.send_apart if address in tcp else client.send_all
        for kind, answer in zip(here, play([wire[kind] for kind in here]), strict=True):
            _note(case, observed, case.requests[kind].name, answer)
    return observed


def tcp_addresses(case: Case) -> set[str]:
    """Of listeners that hand on connections."""
    found = [one["address"]["socket_address"] for one in case.entrances if is_tcp(one)]
    return {f"{at['address']}:{at['port_value']}" for at in found}


def _note(case: Case, observed: Observed, kind: str, answer: Answer) -> None:
    observed.sent += 1
    if answer.host is None:
        place = NO_HOST
    elif answer.host in case.places:
        place = case.places[answer.host]
    else:
        observed.strangers[answer.host] += 1
        return
    observed.totals[place] += 1
    # Where several cases share an Envoy, their number and a slash stand before the name, which may have slashes too.
    # A TCP proxy without a host closes the connection.
    named = {answer.cluster, answer.cluster.partition("/")[2]} if place == NO_HOST else {place.cluster}
    if named & case.members or answer.status == 0:
        observed.counts[place] += 1
        observed.outcomes[_outcome(answer)] += 1
        observed.keys.setdefault(kind, []).append(place)


def _outcome(answer: Answer) -> str:
    """What the simulation calls it."""
    if answer.status == 200:
        return "ok"
    flags = answer.flags.split(",")
    return next((name for flag, name in OUTCOME_OF_FLAG.items() if flag in flags), "upstream_error")
