"""The spillway program, asked from outside as anybody would."""

import json
import subprocess
from pathlib import Path
from typing import Any

PROGRAM_SECONDS = 120


class SpillwayRefused(Exception):
    """The program ended with an error; its words are the message."""


class Spillway:
    """One spillway program."""

    def __init__(self, program: Path) -> None:
        self._program = program

    def share(self, scenario: Path) -> dict[str, Any]:
        """Exact shares of every client and epoch."""
        return self._json("share", str(scenario), "-o", "json")

    def share_table(self, scenario: Path) -> str:
        """What it prints for people."""
        return self._play("share", str(scenario))

    def run(self, scenario: Path, seed: int) -> dict[str, Any]:
        """Simulated shares too. Expectations that fail are nothing to us."""
        return self._json("run", str(scenario), "-o", "json", "--mode", "requests", "--seed", str(seed))

    def export(self, scenario: Path, client: str, at: str, port: int, folder: Path) -> None:
        """Writes the bootstrap of the client's proxy at that time."""
        self._play(
            "export", "envoy", str(scenario), "--client", client, "--at", at, "--port", str(port), "-o", str(folder)
        )

    def _json(self, *arguments: str) -> dict[str, Any]:
        result: dict[str, Any] = json.loads(self._play(*arguments))
        return result

    def _play(self, *arguments: str) -> str:
        finished = subprocess.run(
            [str(self._program), *arguments], capture_output=True, text=True, timeout=PROGRAM_SECONDS, check=False
        )
        if finished.returncode not in (0, 1):
            raise SpillwayRefused(f"spillway {' '.join(arguments)}\n{finished.stderr.strip()}")
        return finished.stdout
