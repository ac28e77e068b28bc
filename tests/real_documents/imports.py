#!/usr/bin/env python3
"""Whether a scenario made of real documents has their shares: imports.py --spillway PROGRAM FOLDER [--requests N]

FOLDER as for real_documents.py. What `share --all-clusters` says of a document's clusters must be what `run` says of
the scenario that `import` writes of it, straight and by each route: for each priority, availability, locality and subset
the same list of shares of hosts, within 1e-9. Of every N-th document requests are simulated too: a share that was
counted must lie within six standard deviations of the exact one. Printed: counts, and what differs; exits 1 if
something does. Hosts are not compared by their name, which a group of alike ones does not keep.
"""
import argparse
import collections
import concurrent.futures
import json
import math
import pathlib
import subprocess
import sys
import tempfile

sys.dont_write_bytecode = True

from real_documents import groups_below

RATE = 100
NEAR = 1e-9
NO_ZONE = "no-zone"


def play(spillway, *arguments):
    command = [spillway, *map(str, arguments)]
    done = subprocess.run(command, capture_output=True, text=True, timeout=120, check=False, stdin=subprocess.DEVNULL)
    if done.returncode not in (0, 1, 2):
        raise RuntimeError(f"exit {done.returncode}: {done.stderr.strip()[-300:]}")
    return done


def zone_of(row):
    """A locality, however it is written: a scenario names every zone, and may put the region before it."""
    zone, region = row["zone"], row["region"]
    if region and zone.startswith(region + "/"):
        zone = zone[len(region) + 1:]
    elif zone == region:
        zone = ""  # a locality with a region alone goes by it
    return region, "" if zone.lstrip("/") == NO_ZONE else zone.lstrip("/"), row["sub_zone"]


def lists_of(rows, figure):
    """Shares of the hosts of each place, in order."""
    lists = collections.defaultdict(list)
    for row in rows:
        if row[figure] is not None and row[figure] != 0:
            place = (row["cluster"], row["priority"], row["availability"], *zone_of(row), row["subset"])
            lists[place].append(row[figure])
    return {place: sorted(list_of_place) for place, list_of_place in lists.items()}


def differs(told, found):
    """Words for the first difference, or nothing."""
    if told.keys() != found.keys():
        missing, new = (sorted(one, key=str)[:2] for one in (told.keys() - found.keys(), found.keys() - told.keys()))
        return f"places {missing} became {new}"
    for place, shares in told.items():
        if len(shares) != len(found[place]):
            return f"{place}: {len(shares)} hosts became {len(found[place])}"
        for one, other in zip(shares, found[place]):
            if abs(one - other) > NEAR:
                return f"{place}: {one} became {other}"
    return None


def counted_differs(rows):
    """Words for the first counted share that is not the exact one of its row, or nothing."""
    for row in rows:
        exact, counted, requests = row["exact"], row["simulated"], row["requests"]
        if exact is None or counted is None or not counted or not requests:
            continue
        total = requests / counted
        if abs(counted - exact) > 6 * math.sqrt(max(exact * (1 - exact), 1 / total) / total):
            return f"{row['client']} {row['endpoint']}: {exact} expected, {counted} counted of {total:.0f}"
    return None


def compare(spillway, group, requests):
    """Counts, and what differs."""
    counts, wrong = collections.Counter(), []
    if any("{{" in path.read_text(errors="replace") for path in group):
        return counts, wrong
    share = play(spillway, "share", "--all-clusters", "-o", "json", *group)
    if not share.stdout:
        return counts, wrong
    if share.returncode == 1:
        counts["documents of which share reads some clusters"] += 1
    told = {world["scenario"]: world["shares"] for world in json.loads(share.stdout)["clusters"]}
    if not any(told.values()):
        counts["documents whose clusters have no endpoints"] += 1
        return counts, wrong
    counts["documents that share reads"] += 1
    with tempfile.TemporaryDirectory(prefix="spillway-imports-") as folder:
        file = pathlib.Path(folder) / "x.yaml"
        made = play(spillway, "import", *group, "--rate", f"{RATE}rps", "-o", file)
        if made.returncode == 2 and share.returncode == 1:
            counts["not imported, for a cluster that is refused"] += 1
            return counts, wrong
        if made.returncode == 2:
            return counts, [f"import: {made.stderr.strip()[:500]}"]
        counts["imported"] += 1
        run = play(spillway, "run", file, "--mode", "exact", "-o", "json")
        if run.returncode == 2:
            return counts, [f"run: {run.stderr.strip()[:500]}"]
        counts["run"] += 1
        by_client = collections.defaultdict(list)
        for row in json.loads(run.stdout)["shares"]:
            by_client[row["client"]].append(row)
        # A route that splits asks several services, each with a part of the shares.
        for client, rows in by_client.items():
            services = {row["service"] for row in rows}
            straight = len(services) == 1
            for service in services:
                part = [row for row in rows if row["service"] == service]
                known = told.get(service)
                if known is None:
                    wrong.append(f"{client}: asks {service}, of which share says nothing")
                    continue
                if all(row["exact"] is None for row in part):
                    counts["of these without an exact share (sessions of the route)"] += 1
                    continue
                total = sum(row["exact"] or 0 for row in part)
                if not straight and total > 0:
                    part = [{**row, "exact": (row["exact"] or 0) / total} for row in part]
                    all_told = sum(row["exact"] or 0 for row in known)
                    known = [{**row, "exact": (row["exact"] or 0) / all_told} for row in known] if all_told else known
                difference = differs(lists_of(known, "exact"), lists_of(part, "exact"))
                counts["comparisons of a client's cluster"] += 1
                if difference:
                    wrong.append(f"{client}: {difference}")
        asked = {row["service"] for rows in by_client.values() for row in rows}
        left_out = file.read_text()
        for name, rows in told.items():
            if rows and name not in asked:
                if any(line.startswith("# ") and name in line for line in left_out.splitlines()):
                    counts["clusters left out, with the reason"] += 1
                else:
                    counts["clusters without a client"] += 1
                    wrong.append(f"nobody asks {name}")
            elif rows:
                counts["clusters compared"] += 1
        if requests:
            run = play(spillway, "run", file, "--mode", "requests", "-o", "json")
            if run.returncode == 2:
                wrong.append(f"run of requests: {run.stderr.strip()[:300]}")
                return counts, wrong
            counts["also with requests"] += 1
            difference = counted_differs(json.loads(run.stdout)["shares"])
            if difference:
                wrong.append(f"requests: {difference}")
    return counts, wrong


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=pathlib.Path)
    parser.add_argument("--spillway", default="spillway")
    parser.add_argument("--requests", type=int, default=0, metavar="N", help="simulate requests of every N-th document")
    parser.add_argument("--jobs", type=int, default=1)
    options = parser.parse_args()
    projects = [project for project in sorted(options.folder.iterdir()) if project.is_dir()]
    groups = [group for project in projects for group in groups_below(project)]
    total, differing = collections.Counter(), 0

    def ask(item):
        number, group = item
        try:
            return group, *compare(options.spillway, group, options.requests and number % options.requests == 0)
        except (RuntimeError, subprocess.TimeoutExpired, ValueError, KeyError) as problem:
            return group, collections.Counter(), [f"{type(problem).__name__} {problem}"]

    with concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
        for group, counts, wrong in pool.map(ask, enumerate(groups)):
            total += counts
            differing += bool(wrong)
            for words in wrong:
                print(f"{group[0].relative_to(options.folder)}: {words}", flush=True)
    for what, count in total.items():
        print(f"{what}: {count}")
    print(f"documents that differ: {differing}")
    sys.exit(1 if differing or not total else 0)


if __name__ == "__main__":
    main()
