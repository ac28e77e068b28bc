#!/usr/bin/env python3
"""Prints the extensions of a real Envoy, by category; scripts/envoy-api runs it: extensions.py 1.40.0

The node of a running Envoy lists them. HTTP filters have two messages, one for the filter and one for routes, and the
list does not say which is which: Envoy is asked for each.
"""

import json
import re
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[2]
TABLES = ROOT / "models" / "envoy" / "api" / "tables"
sys.path.insert(0, str(ROOT / "tests" / "parity"))
sys.dont_write_bytecode = True

from parity.envoy_binary import envoy_binary  # noqa: E402  (the path has to be set first)
from parity.envoy_process import EnvoyProcess  # noqa: E402

Json = dict[str, Any]
ADMIN_PORT = 19461
HTTP = ("envoy.filters.http", "envoy.filters.http.upstream")
FOR_ROUTES = "envoy.filters.http.route"
_TYPE = "type.googleapis.com/"
_FILTERS = "envoy.extensions.filters.http."
_ROUTER = {"name": "router", "typed_config": {"@type": _TYPE + _FILTERS + "router.v3.Router"}}
_SAMPLES: Json = {"bool": True, "string": "x", "uint32": 1, "list:string": ["x"], "google.protobuf.BoolValue": True}
# Filters without configurations for routes, which Envoy says only of messages that are complete. Each was asked.
_NOT_FOR_ROUTES = (
    "adaptive_concurrency admission_control alternate_protocols_cache aws_eventstream_parser body_size_limit cdn_loop "
    "credential_injector decompressor gcp_authn geoip grpc_field_extraction health_check ip_tagging mcp_router "
    "proto_message_extraction rate_limit_quota sse_to_metadata tap"
).split()

# A registry of its own under the name of another one, which alone is listed.
_MONITORS = "envoy.extensions.resource_monitors."
_UNLISTED = {"envoy.resource_monitors": _MONITORS + "downstream_connections.v3.DownstreamConnectionsConfig"}


def extensions(binary: Path) -> list[Json]:
    """The extensions as the node of a running Envoy lists them."""
    admin = {"socket_address": {"address": "127.0.0.1", "port_value": ADMIN_PORT}}
    with tempfile.TemporaryDirectory() as folder:
        (Path(folder) / "bootstrap.json").write_text(json.dumps({"admin": {"address": admin}}))
        with EnvoyProcess(binary, Path(folder), ADMIN_PORT) as envoy:
            dump = json.loads(envoy.admin("/config_dump"))
    return dump["configs"][0]["bootstrap"]["node"]["extensions"]


def sample(message: str) -> Json:
    """A message with one field set, as Envoy reads no type of an empty one; empty if it has no simple field."""
    for table in TABLES.glob("*.txt"):
        block = re.search(rf"^message {re.escape(message)}\n((?:.+\n)*)", table.read_text(), re.MULTILINE)
        for line in block[1].splitlines() if block else ():
            _, name, *kind = [*line.split(), ""]
            if kind[0] in _SAMPLES or kind[0].startswith(("envoy.", "xds.", "google.protobuf.UInt")):
                return {name: _SAMPLES.get(kind[0], {})}
    return {}


def bootstrap(config: Json, for_routes: bool) -> Json:
    """A bootstrap with this message as the configuration of an HTTP filter, or of one for a route."""
    filters = [_ROUTER] if for_routes else [{"name": "filter", "typed_config": config}, _ROUTER]
    manager = {
        "@type": _TYPE + "envoy.extensions.filters.network.http_connection_manager.v3.HttpConnectionManager",
        "stat_prefix": "in",
        "route_config": {"typed_per_filter_config": {"filter": config} if for_routes else {}},
        "http_filters": filters,
    }
    listener = {
        "address": {"socket_address": {"address": "127.0.0.1", "port_value": 1}},
        "filter_chains": [{"filters": [{"name": "manager", "typed_config": manager}]}],
    }
    return {"static_resources": {"listeners": [listener]}}


def words_of(binary: Path, document: Json) -> str:
    """What Envoy says of a bootstrap."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "bootstrap.json"
        path.write_text(json.dumps(document))
        command = [str(binary), "--mode", "validate", "-c", str(path), "--disable-hot-restart"]
        return subprocess.run(command, capture_output=True, text=True, errors="replace", check=False).stderr


def read_as(binary: Path, message: str, for_routes: bool) -> str:
    """The message that Envoy reads where this one is given: itself, another if it is empty, or none ("")."""
    package, name = message.rsplit(".", 1)
    if for_routes and message.removeprefix(_FILTERS).split(".")[0] in _NOT_FOR_ROUTES:
        return ""
    words = words_of(binary, bootstrap({"@type": _TYPE + message, **sample(message)}, for_routes))
    if "route specific configurations" in words:
        return ""
    other = re.search(r"Unable to unpack as ([\w.]+)", words)
    broken = re.search(r"\((\w+)ValidationError", words)
    if broken and not other and broken[1] in (f"{name}PerRoute", name.removesuffix("PerRoute")):
        return f"{package}.{broken[1]}"
    return other[1] if other else message


def absent(binary: Path) -> set[str]:
    """Messages of the tables that this Envoy does not know. Its words name one at a time."""
    left: set[str] = set()
    for table in TABLES.glob("*.txt"):
        left.update(re.findall(r"^message (\S+)", table.read_text(), re.MULTILINE))
    found: set[str] = set()
    while True:
        listed = {name: {"@type": _TYPE + name} for name in sorted(left - found)}
        cluster = {"name": "a", "metadata": {"typed_filter_metadata": listed}}
        words = words_of(binary, {"static_resources": {"clusters": [cluster]}})
        missing = re.search(r"could not find @type '[^']*/([\w.]+)'", words)
        if not missing:
            return found
        found.add(missing[1])


def main(release: str) -> None:
    binary = envoy_binary(release)
    found: dict[str, set[str]] = {}
    for extension in extensions(binary):
        found.setdefault(extension["category"], set()).update(extension.get("type_urls", []))
    for category, message in _UNLISTED.items():
        found[category].add(message)
    lines = {"absent": absent(binary)}
    for category, messages in found.items():
        # Extensions without messages are found by name, so that every message may be right.
        lines[category] = messages or {"*"}
    for for_routes in (False, True):
        read = {message: read_as(binary, message, for_routes) for message in found[HTTP[0]]}
        if not for_routes:  # filters of upstreams alone, such as the codec
            read = {message: message for message in found[HTTP[1]]} | read
        for category in (FOR_ROUTES,) if for_routes else HTTP:
            lines[category] = {
                message if read[message] == message else f"{message} empty={read[message]}"
                for message in found[HTTP[0] if for_routes else category]
                if read.get(message)
            }
    print(f"# Envoy {release}, written by scripts/envoy-api")
    for category in sorted(lines):
        print(f"\ncategory {category}")
        print("\n".join(sorted(lines[category])))


if __name__ == "__main__":
    main(sys.argv[1])
