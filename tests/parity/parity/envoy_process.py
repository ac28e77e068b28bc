"""One run of a real Envoy on loopback."""

import contextlib
import http.client
import json
import socket
import subprocess
import time
from collections.abc import Callable
from pathlib import Path
from types import TracebackType

READY_SECONDS = 120.0
STOP_SECONDS = 10.0


class EnvoyRefused(Exception):
    """Envoy ended instead of starting; its last words are the message."""


class EnvoyProcess:
    """Starts Envoy in `folder` with its bootstrap, and ends it when the block ends.

    An `upstream.json` beside the bootstrap is played by a process of its own, started first.
    """

    def __init__(self, binary: Path, folder: Path, admin_port: int) -> None:
        self._binary = binary
        self._folder = folder
        self._admin_port = admin_port
        self._processes: list[subprocess.Popen[bytes]] = []

    def __enter__(self) -> "EnvoyProcess":
        # Two Envoys would share a port in silence, and each other's requests.
        for port in (self._admin_port - 1, self._admin_port, self._admin_port + 1):
            if _is_taken(port):
                raise EnvoyRefused(f"port {port} is in use: say another --port")
        try:
            if (self._folder / "upstream.json").exists():
                self._start("upstream")
                self._wait_for_upstreams()
            self._start("bootstrap")
            self._wait_until_ready()
        except BaseException:
            self._stop()
            raise
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._stop()

    def clusters(self) -> dict[str, dict[str, int]]:
        """Requests that each host got so far: cluster -> "ip:port" -> rq_total."""
        totals: dict[str, dict[str, int]] = {}
        for cluster in json.loads(self.admin("/clusters?format=json")).get("cluster_statuses", []):
            hosts = totals.setdefault(cluster["name"], {})
            for host in cluster.get("host_statuses", []):
                address = host["address"]["socket_address"]
                counters = {stat["name"]: int(stat.get("value", 0)) for stat in host.get("stats", [])}
                hosts[f"{address['address']}:{address['port_value']}"] = counters.get("rq_total", 0)
        return totals

    def _start(self, name: str) -> None:
        log = (self._folder / f"{name}.log").open("wb")
        command = [str(self._binary), "-c", f"{name}.json", "--concurrency", "1", "--disable-hot-restart"]
        command += ["--log-level", "warning"]
        with log:
            self._processes.append(
                subprocess.Popen(command, cwd=self._folder, stdin=subprocess.DEVNULL, stdout=log, stderr=log)
            )

    def _stop(self) -> None:
        for process in self._processes:
            process.terminate()
        for process in self._processes:
            try:
                process.wait(STOP_SECONDS)
            except subprocess.TimeoutExpired:
                process.kill()
                process.wait()
        self._processes.clear()

    def _wait_for_upstreams(self) -> None:
        listeners = json.loads((self._folder / "upstream.json").read_text())["static_resources"]["listeners"]
        port = listeners[0]["address"]["socket_address"]["port_value"]
        self._wait(lambda: _accepts(port), "upstream")

    def _wait_until_ready(self) -> None:
        # Envoy is LIVE before its workers listen, on a busy machine by many milliseconds: until then it refuses
        # connections.
        self._wait(lambda: self.admin("/ready").startswith("LIVE") and self._workers_listen(), "bootstrap")

    def _workers_listen(self) -> bool:
        stats = self.admin("/stats?filter=listener_manager.workers_started")
        return workers_have_started(stats)

    def _wait(self, ready: Callable[[], bool], name: str) -> None:
        end = time.monotonic() + READY_SECONDS
        while time.monotonic() < end:
            if any(process.poll() is not None for process in self._processes):
                break
            try:
                if ready():
                    return
            except (OSError, http.client.HTTPException):
                pass
            time.sleep(0.02)
        words = (self._folder / f"{name}.log").read_text(errors="replace").strip().splitlines()
        raise EnvoyRefused("\n".join(words[-5:]) or f"not ready within {READY_SECONDS:.0f} s")

    def admin(self, path: str) -> str:
        connection = http.client.HTTPConnection("127.0.0.1", self._admin_port, timeout=READY_SECONDS)
        try:
            connection.request("GET", path)
            return connection.getresponse().read().decode()
        finally:
            connection.close()


def workers_have_started(stats: str) -> bool:
    """Whether /stats says so: a line `listener_manager.workers_started: 1`."""
    return any(line.split(":")[-1].strip() == "1" for line in stats.splitlines() if "workers_started" in line)


def _accepts(port: int) -> bool:
    with socket.create_connection(("127.0.0.1", port), timeout=1.0):
        return True


def _is_taken(port: int) -> bool:
    with contextlib.suppress(OSError):
        return _accepts(port)
    return False
