"""Where things are."""

from pathlib import Path

HOUSE = Path(__file__).resolve().parents[3]
BUILD = HOUSE / "build" / "parity"
FAILED = BUILD / "failed"
PROGRAMS = (HOUSE / "build" / "default" / "cli" / "spillway", HOUSE / "build" / "quickstart" / "cli" / "spillway")
DOCUMENTED = HOUSE / "scenarios" / "documented"
