"""Runs the probes, and writes what came of them."""

import argparse
import json
import time
from collections import Counter
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path

from parity.client import Answer, Client, request_bytes
from parity.command_line import EXIT_WHERE_UNAVAILABLE, say_unavailable
from parity.envoy_binary import VERSION, EnvoyUnavailable, envoy_binary
from parity.envoy_process import EnvoyRefused
from parity.paths import BUILD, HOUSE
from parity.probes.fields import NOT_PROBED, PROBES, Probe, why_no_move
from parity.probes.worlds import ADDRESSES, COMMANDS, POLICIES, name_of, variants_of, write_world
from parity.timelines.record import endpoints_of, envoy_in, wait_until_ready

PAGE = HOUSE / "docs" / "behaviour" / "fields-without-influence.md"
EFFECTS = HOUSE / "models" / "envoy" / "api" / "field_effects.txt"
PROBED_PACKAGE = "envoy.config.cluster."
SCHEMA = HOUSE / "scenarios" / "schema" / "scenario.json"
HARMLESS = "accepted; has no influence on where requests go"
TOGETHER = 10  # probes in one Envoy
KEYS = 60
REQUESTS = 36  # to round robin: three rounds of the weights of the hosts that are healthy
SETTLE_SECONDS = 1.2
WARM_UP = 250
WORKERS = 8


@dataclass(frozen=True)
class Outcome:
    """`refused`: Envoy's words, where it does not take the field; else `differences`, in words. `idle`: the value that
    should move requests moves none, so that the probe shows nothing."""

    probe: Probe
    differences: tuple[str, ...] = ()
    refused: str = ""
    idle: bool = False


def harmless_fields() -> list[str]:
    """Envoy's fields that the data file of field effects or the schema calls harmless, as Message.field."""
    schema = json.loads(SCHEMA.read_text())
    fields = {
        f"{name}.{field}"
        for name, definition in schema["definitions"].items()
        if name.startswith("envoy.")
        for field, of in definition.get("properties", {}).items()
        if of.get("description", "").startswith(HARMLESS)
    }
    message = ""
    for line in EFFECTS.read_text().splitlines():
        head, _, name = line.partition(" ")
        if head == "effects":
            message = name
        elif head == "none" and message.startswith(PROBED_PACKAGE):
            fields.add(f"{message}.{name}")
    return sorted(fields)


def main(arguments: list[str]) -> int:
    parser = argparse.ArgumentParser(
        prog="tests/parity/fields",
        description="Asks a real Envoy whether the fields that Spillway calls harmless are: the same cluster with and "
        "without each, the same requests. Exit codes: 0 none has influence, 1 some has, 2 bad usage.",
    )
    parser.add_argument("fields", nargs="*", help="only fields whose names contain one of these")
    parser.add_argument("--envoy", default=VERSION, metavar="VERSION", help=f"of Envoy (default: {VERSION})")
    parser.add_argument("--port", type=int, default=24600, help="the first of two on loopback (default: 24600)")
    parser.add_argument("--update", action="store_true", help=f"write {PAGE.relative_to(HOUSE)}")
    options = parser.parse_args(arguments)
    try:
        envoy = envoy_binary(options.envoy)
    except EnvoyUnavailable as reason:
        say_unavailable(reason, options.envoy)
        return EXIT_WHERE_UNAVAILABLE
    harmless = harmless_fields()
    probes = [
        probe
        for probe in PROBES
        if probe.field in harmless and (not options.fields or any(part in probe.field for part in options.fields))
    ]
    folder = BUILD / f"probes-{options.port}"
    outcomes: list[Outcome] = []
    for first in range(0, len(probes), TOGETHER):
        outcomes += _ask(envoy, probes[first : first + TOGETHER], folder, options.port)
    influential = 0
    for outcome in outcomes:
        if outcome.refused or outcome.differences or outcome.idle:
            influential += 1
            print(f"{outcome.probe.field}: {_result(outcome)}")
    print(f"{len(outcomes)} fields asked of Envoy {options.envoy}, {len(outcomes) - influential} without influence")
    if options.update:
        PAGE.write_text(_page(outcomes, harmless, options.envoy))
    return 1 if influential else 0


def _ask(envoy: Path, probes: Sequence[Probe], folder: Path, port: int) -> list[Outcome]:
    write_world(probes, folder, port)
    try:
        with endpoints_of(ADDRESSES, COMMANDS, "probes") as start_at, envoy_in(envoy, folder) as process:
            start_at(time.monotonic())
            wait_until_ready(process, folder)
            time.sleep(SETTLE_SECONDS)
            names = [
                name_of(number, policy, variant)
                for number, probe in enumerate(probes)
                for policy in POLICIES
                for variant in variants_of(probe)
            ]
            with ThreadPoolExecutor(WORKERS) as pool:
                # A schedule that was made in slow start forgets its weights only as hosts are picked.
                warm_up = WARM_UP if any(probe.kind == "slow start" for probe in probes) else 0
                answers = dict(zip(names, pool.map(lambda name: _send(name, port, warm_up), names), strict=True))
    except EnvoyRefused as refusal:
        if len(probes) == 1:
            return [Outcome(probes[0], refused=str(refusal))]
        return [outcome for probe in probes for outcome in _ask(envoy, [probe], folder, port)]

    def differences(number: int, variant: str) -> tuple[str, ...]:
        return tuple(
            difference
            for policy in POLICIES
            for difference in _differences(
                policy, answers[name_of(number, policy, "without")], answers[name_of(number, policy, variant)]
            )
        )

    return [
        Outcome(
            probe,
            differences(number, "with"),
            idle=probe.moves is not None and not differences(number, "moved"),
        )
        for number, probe in enumerate(probes)
    ]


def _send(name: str, port: int, warm_up: int) -> list[Answer]:
    """A request for each key; round robin looks at none. Before that so many requests that are not counted."""
    client = Client(port)
    number = REQUESTS if "round_robin" in name else KEYS
    client.send_all([request_bytes(name, ())] * warm_up)
    try:
        # One at a time: Envoy would close a pipelined connection after two answers of its own.
        return [
            answer
            for key in range(number)
            for answer in client.send_all([request_bytes(name, (("x-key", f"key-{key}"),))])
        ]
    finally:
        client.close()


def _differences(policy: str, without: Sequence[Answer], with_it: Sequence[Answer]) -> list[str]:
    found = []
    statuses = [Counter((answer.host, answer.status) for answer in answers) for answers in (without, with_it)]
    if policy == "RING_HASH":
        moved = sum(one.host != other.host for one, other in zip(without, with_it, strict=True))
        if moved:
            found.append(f"{moved} of {len(without)} keys reach another endpoint")
        changed = sum(one.status != other.status for one, other in zip(without, with_it, strict=True))
        if changed:
            found.append(f"{changed} of {len(without)} answers have another status ({_statuses(with_it)})")
        return found
    # A round robin starts anywhere: counts of whole rounds differ by the rest of one.
    for cell in sorted({*statuses[0], *statuses[1]}, key=str):
        one, other = statuses[0][cell], statuses[1][cell]
        if abs(one - other) > 1 or (one == 0) != (other == 0):
            found.append(f"{cell[0]} answers {cell[1]} {other} times instead of {one}")
    return found


def _statuses(answers: Sequence[Answer]) -> str:
    return ", ".join(f"{count} x {status}" for status, count in sorted(Counter(a.status for a in answers).items()))


def _result(outcome: Outcome) -> str:
    if outcome.refused:
        return "refused by Envoy: " + outcome.refused.splitlines()[-1][-200:]
    if outcome.idle:
        return f"nothing is shown: {json.dumps(outcome.probe.moves)} should move requests and moves none"
    return "; ".join(outcome.differences) if outcome.differences else "none"


def _why_it_matters(probe: Probe) -> str:
    return f"`{json.dumps(probe.moves)}` moves requests" if probe.moves is not None else why_no_move(probe)


def _page(outcomes: Sequence[Outcome], harmless: Sequence[str], version: str) -> str:
    rows = [
        f"| `{outcome.probe.field}` | `{json.dumps(outcome.probe.value)}` | {_result(outcome)} | {_why_it_matters(outcome.probe)} |"
        for outcome in sorted(outcomes, key=lambda outcome: outcome.probe.field)
    ]
    not_probed = [f"| `{field}` | {reason} |" for field, reason in sorted(NOT_PROBED.items()) if field in harmless]
    return "\n".join(
        [
            "# Fields without influence",
            "",
            "Spillway accepts these fields of Envoy's documents and reports that they have no influence on where requests go",
            "([scenario-keys.md](../scenario-keys.md)). Each was tested with a real Envoy",
            f"{version}: two clusters that differ only in this field, under ring hash ({KEYS} keys) and under weighted round robin",
            f"({REQUESTS} requests). They have eight endpoints in two localities, of which one answers 503, one fails its active",
            "checks and one is slow. \"none\" means: every key reached the same endpoint with the same status, and round robin",
            "gave every endpoint the same number of requests, plus or minus one. `tests/parity/fields --update` writes this page.",
            "",
            "A probe tests one value in one setting. It would not detect an influence that needs another kind of failure, another",
            "protocol or more time. Therefore each row also names another value that moves requests in the same setting, and was",
            "tested too, or the reason why there is none.",
            "",
            f"| field | set to | influence ({len(rows)} fields) | what other value moves requests, or why none does |",
            "|---|---|---|---|",
            *rows,
            "",
            "## Not tested",
            "",
            "| field | why |",
            "|---|---|",
            *not_probed,
            "",
            "Harmless fields of Kuma's documents are not listed, since Envoy does not get them. Fields of the bootstrap that",
            "concern the process (statistics, watchdogs, tracing, names of the node) were not tested one by one.",
            "",
        ]
    )
