#!/usr/bin/env python3
"""How much of real documents is read: real_documents.py --spillway PROGRAM FOLDER [--projects] [--reasons]

FOLDER holds a folder for each project, with its documents to any depth. Documents that differ in the part of the
configuration that they hold (`x.clusters.yaml`, `x.endpoints.yaml`) are read together. Printed as Markdown: by kind of
document and project how many are read whole, partly or not at all, and how many distinct clusters of all are read.
Templates are left out. A cluster is distinct by its content. Needs PyYAML.
"""
import argparse
import collections
import concurrent.futures
import hashlib
import json
import pathlib
import re
import subprocess
import sys

import yaml

PARTS = re.compile(r"\.(clusters?|endpoints?|routes?|listeners?|secrets?|bootstrap)(?=\.)")
LOADER = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
# The first that is found in a text names its kind.
KINDS = (
    ("config_dump", re.compile(r"ConfigDump")),
    ("objects of Kubernetes", re.compile(r"^apiVersion:|\"apiVersion\":", re.M)),
    ("bootstrap", re.compile(r"static_?[rR]esources|dynamic_?[rR]esources")),
    ("discovery response", re.compile(r"version_?[iI]nfo|^resources:|\"resources\":", re.M)),
    ("snapshot by type", re.compile(r"type\.googleapis\.com/envoy\.config\.\w+\.v3\.\w+\"?:")),
    ("lists of resources", re.compile(r"^- |^\[|^(clusters|endpoints|listeners|routes):", re.M)),
)
# Clusters that are refused for the same reason, by what names it.
CLUSTER_KEYS = {
    "lb_policy", "lbPolicy", "load_assignment", "loadAssignment", "connect_timeout", "connectTimeout", "cluster_type",
    "clusterType", "eds_cluster_config", "edsClusterConfig", "load_balancing_policy", "loadBalancingPolicy",
    "outlier_detection", "outlierDetection", "typed_extension_protocol_options", "typedExtensionProtocolOptions",
    "transport_socket_matches", "transportSocketMatches", "common_lb_config", "commonLbConfig",
}


def kind_of(text):
    return next((name for name, pattern in KINDS if pattern.search(text)), "a single resource")


def groups_below(folder):
    groups = collections.defaultdict(list)
    for path in sorted(folder.rglob("*")):
        if path.is_file() and path.suffix in (".yaml", ".yml", ".json", ".golden"):
            groups[str(path.parent / PARTS.sub("", path.name))].append(path)
    return list(groups.values())


def documents_in(path):
    text = path.read_text(errors="replace")
    try:
        return [json.loads(text)] if path.suffix == ".json" else list(yaml.load_all(text, LOADER))
    except (ValueError, yaml.YAMLError, RecursionError):
        return []


def contents_of(node, found):
    """Every cluster of a document: digests by name."""
    if isinstance(node, dict):
        if isinstance(node.get("name"), str) and CLUSTER_KEYS & node.keys():
            text = json.dumps({key: value for key, value in node.items() if key != "@type"}, sort_keys=True, default=str)
            found[node["name"]].add(hashlib.sha256(text.encode()).hexdigest())
        for value in node.values():
            contents_of(value, found)
    elif isinstance(node, list):
        for item in node:
            contents_of(item, found)
    return found


def ask(spillway, group):
    if any("{{" in path.read_text(errors="replace") for path in group):
        return {"template": True, "clusters": []}
    command = [spillway, "validate", "-o", "json", *map(str, group)]
    try:
        done = subprocess.run(command, capture_output=True, text=True, timeout=60, check=False)
    except subprocess.TimeoutExpired:
        return {"crash": "no answer within 60 s"}
    if done.returncode not in (0, 2):
        return {"crash": f"exit {done.returncode}: {done.stderr.strip()[-200:]}"}
    try:
        return json.loads(done.stdout)
    except ValueError:
        return {"crash": f"no JSON: {(done.stdout + done.stderr).strip()[-200:]}"}


def reason_of(problem):
    return f"{problem['code']} {problem['message']}" + (f": {problem['label']}" if problem["label"] else "")


def errors_of(problems):
    return [problem for problem in problems if problem["severity"] == "error"]


def judge(answer):
    """whole, partly, refused, named (recognised, and not read) or empty (nothing of an Envoy in it); and the reasons."""
    if answer.get("template"):
        return "empty", []
    if "crash" in answer:
        return "refused", ["crash: " + answer["crash"]]
    clusters = answer["clusters"]
    refused = [cluster for cluster in clusters if cluster["state"] == "refused"]
    own = errors_of(answer["diagnostics"])
    reasons = [reason_of(problem) for problem in own]
    for cluster in refused:
        reasons += [reason_of(problem) for problem in errors_of(cluster["diagnostics"]) if problem["code"] != "SP136"][:1]
    something = len(refused) < len(clusters) or answer["endpoints"] or answer["routes"] or answer["listeners"]
    if own and all(problem["code"] == "SP149" for problem in own):
        return "named", reasons
    if own and all(problem["code"] == "SP134" for problem in own) and not something:
        return "empty", reasons
    if not reasons:
        return "whole", reasons
    return ("partly" if something else "refused"), reasons


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=pathlib.Path)
    parser.add_argument("--spillway", default="spillway")
    parser.add_argument("--projects", action="store_true", help="also a table by project")
    parser.add_argument("--reasons", type=int, default=0, help="also so many reasons with an example, by frequency")
    parser.add_argument("--jobs", type=int, default=1)
    options = parser.parse_args()
    table = collections.defaultdict(collections.Counter)
    projects = collections.defaultdict(collections.Counter)
    reasons, example = collections.Counter(), {}
    seen, read, whole = (collections.defaultdict(set) for _ in range(3))
    asked = [
        (project.name, group)
        for project in sorted(options.folder.iterdir())
        if project.is_dir()
        for group in groups_below(project)
    ]
    with concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
        answers = pool.map(lambda item: ask(options.spillway, item[1]), asked)
        for (project, group), answer in zip(asked, answers):
            verdict, why = judge(answer)
            kind = kind_of(group[0].read_text(errors="replace"))
            for counter in (table[kind, project], projects[project]):
                counter[verdict] += 1
            for reason in why:
                reasons[reason] += 1
                example.setdefault(reason, group[0])
            if "crash" in answer or not answer["clusters"]:
                continue
            contents = collections.defaultdict(set)
            for path in group:
                for document in documents_in(path):
                    contents_of(document, contents)
            for cluster in answer["clusters"]:
                digests = {(project, digest) for digest in contents.get(cluster["name"], {cluster["name"]})}
                seen[project] |= digests
                if cluster["state"] != "refused":
                    read[project] |= digests
                if cluster["state"] == "read":
                    whole[project] |= digests
    verdicts = ("whole", "partly", "refused", "named")
    print("| kind | project | documents |", " | ".join(verdicts), "|\n| -- | -- |", "--: |" * (len(verdicts) + 1))
    for (kind, project), counter in sorted(table.items()):
        documents = sum(counter[verdict] for verdict in verdicts)
        if documents:
            print(f"| {kind} | {project} | {documents} |", " | ".join(str(counter[v]) for v in verdicts), "|")
    print("\n| project | documents |", " | ".join(verdicts), "| distinct clusters | read | with endpoints |\n| -- |", "--: |" * (len(verdicts) + 4))
    total = collections.Counter()
    for project, counter in sorted(projects.items()):
        total += counter
        print(f"| {project} | {sum(counter[v] for v in verdicts)} |", " | ".join(str(counter[v]) for v in verdicts),
              f"| {len(seen[project])} | {len(read[project])} | {len(whole[project])} |")
    all_seen, all_read = sum(map(len, seen.values())), sum(map(len, read.values()))
    share = f"{100 * all_read / all_seen:.1f} %" if all_seen else "none"
    print(f"| all | {sum(total[v] for v in verdicts)} |", " | ".join(str(total[v]) for v in verdicts),
          f"| {all_seen} | {all_read} ({share}) | {sum(map(len, whole.values()))} |")
    for reason, count in reasons.most_common(options.reasons):
        print(f"{count:5} {reason}\n      {example[reason]}", file=sys.stderr)
    sys.exit(1 if any(reason.startswith("crash") for reason in reasons) else 0)


if __name__ == "__main__":
    main()
