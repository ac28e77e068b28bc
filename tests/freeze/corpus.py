"""The inputs of scripts/freeze, written below one folder, so that no output names a path of this machine."""

import pathlib
import re
import shutil

import generate

HOUSE = pathlib.Path(__file__).resolve().parent.parent.parent
TEXTS = {".yaml", ".yml", ".json", ".jsonc", ".txt", ".csv", ".log"}

# What an example of a code is added to: a scenario without a mistake.
BASE = {
    "duration": "duration: 10s",
    "zones": "zones: [{ name: a }, { name: b }]",
    "services": "services: [{ name: cart, endpoints: [{ count: 2, zone: a }, { count: 2, zone: b }] }]",
    "clients": "clients: [{ name: shop, zone: a, workload: { service: cart, rate: 50rps } }]"}


def write(folder, generated, shared=True):
    """Writes the corpus below `folder` and returns its files, relative to it and sorted."""
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    shutil.copytree(HOUSE / "scenarios", folder / "scenarios", ignore=shutil.ignore_patterns("schema"))
    shutil.copytree(HOUSE / "tests/fuzz/corpus", folder / "fuzz")
    shutil.copytree(HOUSE / "tests/sim/run/reproductions", folder / "reproductions")
    shutil.copytree(HOUSE / "tests/sim/observed/data", folder / "observed")
    repro = HOUSE.parent / "shared/repro"
    if shared and repro.is_dir():
        shutil.copytree(repro, folder / "repro", ignore=shutil.ignore_patterns("*.md", "*.py"))
    _examples_of_codes(folder / "codes")
    (folder / "generated").mkdir()
    for seed in range(generated):
        _, document = generate.scenario(seed)
        (folder / f"generated/{seed:03}.json").write_text(generate.text(document))
    return sorted(str(path.relative_to(folder)) for path in folder.rglob("*") if path.is_file() and (path.suffix in TEXTS or "fuzz/" in str(path)))


def _examples_of_codes(folder):
    folder.mkdir()
    for page in sorted((HOUSE / "docs/diagnostics").glob("SP*.md")):
        for kind, block in re.findall(r"^(Wrong|Right)\b[^\n]*:\n\n```yaml\n(.*?)^```$", page.read_text(), re.M | re.S):
            _write_example(folder / f"{page.stem}-{kind.lower()}.yaml", block.splitlines())


def _write_example(path, lines):
    keys = {match[1] for line in lines if (match := re.match(r"([A-Za-z_$]+):", line))}
    whole = "duration" in keys or "kind" in keys or "apiVersion" in keys or "static_resources" in keys or not keys
    base = [] if whole else [text for key, text in BASE.items() if key not in keys]
    path.write_text("\n".join(base + lines) + "\n")


def is_scenario(path):
    """True if `path` looks like a scenario: it has a duration and something that sends or makes requests."""
    try:
        text = path.read_text()
    except UnicodeDecodeError:
        return False
    return bool(re.search(r"^[\s{]*['\"]?duration['\"]?\s*:", text, re.M)) and bool(re.search(r"\b(clients|control_plane|policies|resources)\b", text))
