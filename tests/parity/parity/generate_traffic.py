"""The requests of a random configuration: straight to a service, or by routes with hash keys and subset criteria."""

import random
from typing import Any

from parity.generate_policy import STAGES, VERSIONS, Features

Json = dict[str, Any]

KEYS = 200
# A value that no endpoint has leads to a fallback.
ASKED_VERSIONS = (*VERSIONS, "none such")


def add_traffic(scenario: Json, targets: list[str], features: Features, draw: random.Random) -> None:
    """Completes the scenario's client. Several targets are weighted clusters of every route."""
    workload: Json = scenario["clients"][0]["workload"]
    asks_for_subsets = features.subsets and draw.random() < 0.8
    has_keys = features.hashes and draw.random() < 0.8
    if not asks_for_subsets and not has_keys and len(targets) == 1:
        workload["service"] = targets[0]
        return
    hash_policy, kinds = _keys(draw) if has_keys else ([], [{}])
    criteria = _criteria(draw) if asks_for_subsets else [{}]
    scenario["routes"] = [_route(targets, wanted, hash_policy, draw) for wanted in criteria]
    workload["requests"] = [_request(kind, draw.choice(criteria), draw) for kind in kinds]
    if not has_keys:
        workload["requests"] = [_request({}, wanted, draw) for wanted in criteria]


def _request(kind: Json, wanted: Json, draw: random.Random) -> Json:
    """Weights have so many digits that no two sums of some of them are equal."""
    request: Json = {"weight": round(draw.uniform(1.0, 3.0), 6), **kind}
    headers = {**kind.get("headers", {}), **{f"x-{name}": value for name, value in wanted.items()}}
    if headers:
        request["headers"] = headers
    return request


def _route(targets: list[str], wanted: Json, hash_policy: list[Json], draw: random.Random) -> Json:
    match: Json = {"prefix": "/"}
    action: Json = {"cluster": targets[0]}
    if wanted:
        match["headers"] = [{"name": f"x-{name}", "string_match": {"exact": value}} for name, value in wanted.items()]
        action["metadata_match"] = _lb_metadata(wanted)
    if len(targets) > 1:
        weighted: list[Json] = [{"name": target, "weight": draw.randint(1, 9)} for target in targets]
        if draw.random() < 0.3:
            weighted[0]["metadata_match"] = _lb_metadata({"version": draw.choice(ASKED_VERSIONS)})
        action = {**action, "weighted_clusters": {"clusters": weighted}}
        del action["cluster"]
    if hash_policy:
        action["hash_policy"] = hash_policy
    return {"match": match, "route": action}


def _lb_metadata(pairs: Json) -> Json:
    return {"filter_metadata": {"envoy.lb": pairs}}


def _criteria(draw: random.Random) -> list[Json]:
    """What the routes ask for, those of more criteria first; the last route takes what no other does."""
    both = [{"stage": draw.choice(STAGES), "version": draw.choice(ASKED_VERSIONS)} for _ in range(2)]
    one = [{"version": draw.choice(ASKED_VERSIONS)}, {"stage": draw.choice(STAGES)}]
    return [*both[: draw.randint(1, 2)], *one[: draw.randint(0, 2)], {}]


def _keys(draw: random.Random) -> tuple[list[Json], list[Json]]:
    """A hash policy, and requests that differ in what it looks at."""
    names = [f"{draw.choice(['user', 'k', 'session'])}-{number}" for number in range(KEYS)]
    by_header = {"header": {"header_name": "x-key"}}
    ways: list[tuple[list[Json], list[Json]]] = [
        ([by_header], [{"headers": {"x-key": name}} for name in names]),
        ([{"cookie": {"name": "key"}}], [{"headers": {"cookie": f"other=1; key={name}"}} for name in names]),
        ([{"query_parameter": {"name": "key"}}], [{"path": f"/cart?a=b&key={name}"} for name in names]),
        (
            [{"connection_properties": {"source_ip": True}}],
            [{"source_address": f"10.0.{number // 250}.{number % 250 + 1}"} for number in range(KEYS)],
        ),
        (
            [{**by_header, "terminal": True}, {"query_parameter": {"name": "key"}}],
            [
                {"headers": {"x-key": name}, "path": "/?key=unused"} if number % 2 else {"path": f"/?key={name}"}
                for number, name in enumerate(names)
            ],
        ),
        (
            [by_header, {"query_parameter": {"name": "key"}}],
            [{"headers": {"x-key": name}, "path": f"/?key={number % 7}"} for number, name in enumerate(names)],
        ),
    ]
    return draw.choice(ways)
