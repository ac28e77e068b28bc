#!/usr/bin/env python3
"""Whether damaged real documents are refused with their place: damaged.py --spillway PROGRAM FOLDER [--copies N]

FOLDER as for real_documents.py. Makes N damaged copies of documents in it, each with one to three injuries: a key or an
item taken away or written twice, two values exchanged, a value of another type, a huge number, odd Unicode, a text cut
off, bytes and lines changed. Secrets are planted before: private keys, certificates, tokens, passwords, authorization.
`validate`, `share` and `import` read each copy. They must end with 0, 1 or 2 in time; each error has a code and a place
in the file (FILE:LINE:COLUMN) or is of the command line (SP9xx); no secret stands in any output or written file. Prints
the numbers, and what broke a promise; exits 1 if something did. The same --seed makes the same copies. Needs PyYAML.
"""
import argparse
import collections
import concurrent.futures
import copy
import json
import pathlib
import random
import re
import subprocess
import sys
import tempfile

import yaml

sys.dont_write_bytecode = True

from real_documents import LOADER, documents_in, groups_below

SECONDS = 20
DUMPER = getattr(yaml, "CSafeDumper", yaml.SafeDumper)
OF_AN_ENVOY = re.compile(r"lb_?[eE]ndpoints|load_?[aA]ssignment|ConfigDump|static_?[rR]esources|envoy\.config")
SECRETS = {
    "key": "-----BEGIN PRIVATE KEY-----PlantedKeyQ7xkZp91-----END PRIVATE KEY-----",
    "certificate": "-----BEGIN CERTIFICATE-----PlantedChainW3mVt27-----END CERTIFICATE-----",
    "token": "PlantedTokenR8sLd64",
    "password": "PlantedWordJ5bNc30",
    "header": "PlantedBearerY2gHf58",
}
MARKS = [re.search(r"Planted\w+", secret).group() for secret in SECRETS.values()]
ODD = ["\u202e\u0000\ufeff", "\U0001f980" * 40, "\ud7ff\u0301", "a" * 5000, "", " ", "\u001b[31m", "{{ .Values.x }}", "%s%n"]
HUGE = [2**64, -(2**63), 10**400, 1e308, -0.0, float("nan"), 4294967296, -1, 0]
OTHERS = [None, True, [], {}, "text", 7, 0.5, [[[]]], {"": {}}, ["a", {"b": None}]]


def places_in(node, found, depth=0):
    """(container, key) of every value."""
    items = node.items() if isinstance(node, dict) else enumerate(node) if isinstance(node, list) else ()
    for key, value in items:
        found.append((node, key))
        if depth < 60:
            places_in(value, found, depth + 1)
    return found


def injure(document, draw):
    places = places_in(document, [])
    if not places:
        return "nothing"
    node, key = draw.choice(places)
    what = draw.choice(("away", "twice", "exchanged", "type", "huge", "odd", "key"))
    if what in ("exchanged", "key") and "Planted" in json.dumps(node, default=str):
        what = "away"  # a secret that stands where nobody keeps one cannot be known as one
    if what == "away":
        del node[key]
    elif what == "twice" and isinstance(node, list):
        node.insert(key, copy.deepcopy(node[key]))
    elif what == "exchanged":
        plain = [place for place in places if "Planted" not in json.dumps(place[0], default=str)]
        other, other_key = draw.choice(plain or [(node, key)])
        one, two = copy.deepcopy(node[key]), copy.deepcopy(other[other_key])
        node[key] = two
        other[other_key] = one
    elif what == "huge":
        node[key] = draw.choice(HUGE)
    elif what == "odd":
        node[key] = draw.choice(ODD)
    elif what == "key" and isinstance(node, dict):
        node[draw.choice([*ODD, "unknown", "@type", "name"])] = node.pop(key)
    else:
        node[key] = copy.deepcopy(draw.choice(OTHERS))
    return what


def injure_text(text, draw):
    what = draw.choice(("cut", "byte", "line twice", "line away", "lines exchanged"))
    if what == "lines exchanged" and "Planted" in text:
        what = "cut"
    lines = text.splitlines()
    number, other = draw.randrange(len(lines)), draw.randrange(len(lines))
    if what == "cut":
        return what, text[: draw.randrange(len(text))]
    if what == "byte":
        place = draw.randrange(len(text))
        if "Planted" in text[text.rfind("\n", 0, place) + 1 : place] + text[place:].split("\n", 1)[0]:
            return "nothing", text
        return what, text[:place] + draw.choice("\x00\x07{}[]:,\"'&*!|>%@\t\xff\ud7ff") + text[place + 1:]
    if what == "line twice":
        lines.insert(number, lines[number])
    elif what == "line away":
        del lines[number]
    else:
        lines[number], lines[other] = lines[other], lines[number]
    return what, "\n".join(lines)


def with_secrets(document):
    """Secrets into every cluster and route, and as a resource of their own where a list is."""
    tls = {
        "name": "tls",
        "typed_config": {
            "@type": "type.googleapis.com/envoy.extensions.transport_sockets.tls.v3.UpstreamTlsContext",
            "common_tls_context": {
                "tls_certificates": [
                    {
                        "private_key": {"inline_string": SECRETS["key"]},
                        "certificate_chain": {"inline_string": SECRETS["certificate"]},
                        "password": {"inline_string": SECRETS["password"]},
                    },
                ],
            },
        },
    }
    for node, key in places_in(document, []):
        value = node[key]
        if not isinstance(value, dict):
            continue
        if "connect_timeout" in value or "load_assignment" in value:
            value["transport_socket"] = copy.deepcopy(tls)
        elif "connectTimeout" in value or "loadAssignment" in value:
            value["transportSocket"] = copy.deepcopy(tls)
        if isinstance(value.get("match"), dict) and "route" in value:
            header = {"key": "authorization", "value": "Bearer " + SECRETS["header"]}
            value["request_headers_to_add"] = [{"header": header}]
            value["match"].setdefault("headers", [{"name": "x-api-token", "string_match": {"exact": SECRETS["token"]}}])
    return document


def documents_of(path):
    return [document for document in documents_in(path) if isinstance(document, (dict, list))]


def damaged(path, draw):
    """(what was done, text)"""
    documents = [with_secrets(copy.deepcopy(document)) for document in documents_of(path)]
    done = []
    for _ in range(draw.randint(1, 3)):
        done.append(injure(draw.choice(documents), draw))
    try:
        if draw.random() < 0.5:
            text = "\n---\n".join(json.dumps(document, indent=1, default=str) for document in documents)
        else:
            text = yaml.dump_all(documents, Dumper=DUMPER, allow_unicode=True, sort_keys=False)
    except (yaml.YAMLError, ValueError, TypeError, RecursionError):
        text = json.dumps(documents, default=str)
    if draw.random() < 0.4 and text.strip():
        what, text = injure_text(text, draw)
        done.append(what)
    # Where its name was taken away, a token cannot be known as one.
    if text.count("x-api-token") != text.count(SECRETS["token"]):
        text = text.replace(SECRETS["token"], "a-token")
    return ", ".join(done), text


def judge(done, written, path):
    """What promise is broken, or nothing."""
    if done.returncode not in (0, 1, 2):
        return f"ends with {done.returncode}: {done.stderr[-300:]}"
    for mark in MARKS:
        if mark in done.stdout + done.stderr + written:
            line = next(line for line in (done.stdout + done.stderr + written).splitlines() if mark in line)
            return f"shows a secret: {line.strip()[:200]}"
    if done.returncode != 2:
        return None
    errors = re.split(r"^(?=error|warning|note)", done.stderr, flags=re.M)
    errors = [error for error in errors if error.startswith("error")]
    if not errors:
        return f"ends with 2 without an error: {done.stderr[-300:]}"
    for error in errors:
        if not re.match(r"error\[SP\d{3}\]", error):
            return f"an error without a code: {error[:300]}"
        if not re.search(re.escape(path.name) + r"( \(.*\))?:\d+:\d+", error) and not error.startswith("error[SP9"):
            return f"an error without a place: {error[:300]}"
    return None


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=pathlib.Path)
    parser.add_argument("--spillway", default="spillway")
    parser.add_argument("--copies", type=int, default=1000)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--jobs", type=int, default=1)
    parser.add_argument("--keep", type=pathlib.Path, help="a folder for the copies that broke a promise")
    options = parser.parse_args()
    projects = [project for project in sorted(options.folder.iterdir()) if project.is_dir()]
    originals = [path for project in projects for group in groups_below(project) for path in group]
    originals = [path for path in originals if path.stat().st_size < 400_000]
    draw = random.Random(options.seed)
    readable = {}

    def original():
        while True:
            path = draw.choice(originals)
            if path not in readable:
                readable[path] = bool(documents_of(path) and OF_AN_ENVOY.search(path.read_text(errors="replace")))
            if readable[path]:
                return path

    def task(item):
        number, path = item
        what, text = damaged(path, random.Random(f"{options.seed}/{number}"))
        results = []
        with tempfile.TemporaryDirectory(prefix="spillway-damaged-") as folder:
            file = pathlib.Path(folder) / ("damaged" + path.suffix)
            file.write_text(text, errors="surrogatepass")
            scenario = pathlib.Path(folder) / "x.yaml"
            share = ["share", file, "--all-clusters", "-o", "json"]
            for command in (["validate", file], share, ["import", file, "-o", scenario]):
                try:
                    done = subprocess.run(
                        [options.spillway, *map(str, command)], capture_output=True, text=True, errors="replace",
                        timeout=SECONDS, check=False, stdin=subprocess.DEVNULL,
                    )
                except subprocess.TimeoutExpired:
                    results.append((command[0], "hangs", f"no answer in {SECONDS} s"))
                    continue
                written = scenario.read_text(errors="replace") if scenario.exists() else ""
                results.append((command[0], done.returncode, judge(done, written, file)))
        if options.keep and any(problem for _, _, problem in results):
            options.keep.mkdir(parents=True, exist_ok=True)
            (options.keep / f"{number}{path.suffix}").write_text(text, errors="surrogatepass")
        return number, path, what, results

    counts, wrong = collections.Counter(), 0
    tasks = [(number, original()) for number in range(options.copies)]
    with concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
        for number, path, what, results in pool.map(task, tasks):
            for command, ending, problem in results:
                counts[command, ending] += 1
                if problem:
                    wrong += 1
                    name = path.relative_to(options.folder)
                    print(f"copy {number} of {name} ({what}): {command}: {problem}", flush=True)
    for (command, ending), count in sorted(counts.items(), key=str):
        print(f"{command} ends with {ending}: {count}")
    documents, runs = len({path for _, path in tasks}), sum(counts.values())
    print(f"{options.copies} copies of {documents} documents, {runs} runs, {wrong} broke a promise")
    sys.exit(1 if wrong or not counts else 0)


if __name__ == "__main__":
    main()
