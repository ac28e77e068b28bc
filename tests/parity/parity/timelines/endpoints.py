"""Endpoints on loopback that answer as commanded, all of them in one process.

An endpoint has an address of its own. It fails requests with a status, by breaking the connection, by silence or by
refusing connections, and answers active checks as it is told.
"""

import asyncio
import contextlib
import gc
import random
import socket
import struct
from collections.abc import Callable, Sequence
from multiprocessing.connection import Connection as Pipe

from parity.timelines.script import CHECK_PATH, PORT, Behaviour

_OK = b"HTTP/1.1 200 OK\r\ncontent-length: 0\r\n\r\n"
_OK_BUT_FAILING = b"HTTP/1.1 200 OK\r\nx-envoy-immediate-health-check-fail: true\r\ncontent-length: 0\r\n\r\n"
_CHECK_ANSWERS = {
    "healthy": _OK,
    "degraded": b"HTTP/1.1 200 OK\r\nx-envoy-degraded: true\r\ncontent-length: 0\r\n\r\n",
    "unhealthy": b"HTTP/1.1 503 Service Unavailable\r\ncontent-length: 0\r\n\r\n",
    "immediate_health_check_fail": b"HTTP/1.1 503 Service Unavailable\r\nx-envoy-immediate-health-check-fail: true\r\n"
    b"content-length: 0\r\n\r\n",
}
_CHECK_START = f"GET {CHECK_PATH} ".encode()

Command = tuple[float, str, Behaviour]  # seconds from the start, address, what it does from then on


class Endpoint:
    """One address and its connections."""

    def __init__(self, ip: str, seed: str) -> None:
        self.ip = ip
        self.behaviour = Behaviour()
        self.connections: set[EndpointConnection] = set()
        self._server: asyncio.Server | None = None
        self._draw = random.Random(seed)

    async def open(self) -> None:
        """Accepts connections from now on."""
        loop = asyncio.get_running_loop()
        self._server = await loop.create_server(
            lambda: EndpointConnection(self), self.ip, PORT, backlog=256, reuse_address=True
        )

    async def behave(self, behaviour: Behaviour) -> None:
        """Does so from now on."""
        self.behaviour = behaviour
        refuses = not behaviour.exists or (behaviour.fails > 0 and behaviour.fails_with == "connect_failure")
        if refuses and self._server is not None:
            self._server.close()
            self._server = None
            for connection in list(self.connections):
                connection.reset()
        elif not refuses and self._server is None:
            await self.open()

    def answer(self, connection: "EndpointConnection", is_check: bool) -> None:
        """What becomes of a request or check."""
        behaviour = self.behaviour
        action = self._action(connection, is_check)
        delay = behaviour.check_delay if is_check else behaviour.delay
        if delay > 0:
            asyncio.get_running_loop().call_later(delay, action)
        else:
            action()

    def _action(self, connection: "EndpointConnection", is_check: bool) -> Callable[[], None]:
        behaviour = self.behaviour
        if behaviour.fails > 0 and self._draw.random() < behaviour.fails:
            if behaviour.fails_with == "reset":
                return connection.reset
            if behaviour.fails_with == "no_answer":
                return lambda: None
            status = str(behaviour.fails_with).encode()
            return lambda: connection.send(b"HTTP/1.1 " + status + b" Failing\r\ncontent-length: 0\r\n\r\n")
        # As Envoy's own filter for checks does it, the header of an immediate failure comes with other answers, too.
        to_request = _OK_BUT_FAILING if behaviour.checks == "immediate_health_check_fail" else _OK
        return lambda: connection.send(_CHECK_ANSWERS[behaviour.checks] if is_check else to_request)


class EndpointConnection(asyncio.Protocol):
    """Requests without bodies, one after the other."""

    def __init__(self, endpoint: Endpoint) -> None:
        self._endpoint = endpoint
        self._received = b""
        self._transport: asyncio.Transport | None = None

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        assert isinstance(transport, asyncio.Transport)
        self._transport = transport
        transport.get_extra_info("socket").setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        self._endpoint.connections.add(self)

    def connection_lost(self, exc: Exception | None) -> None:
        self._endpoint.connections.discard(self)
        self._transport = None

    def data_received(self, data: bytes) -> None:
        self._received += data
        while (end := self._received.find(b"\r\n\r\n")) >= 0:
            is_check = self._received.startswith(_CHECK_START)
            self._received = self._received[end + 4 :]
            self._endpoint.answer(self, is_check)

    def send(self, answer: bytes) -> None:
        """An answer."""
        if self._transport is not None:
            self._transport.write(answer)

    def reset(self) -> None:
        """Breaks the connection off, without a goodbye."""
        if self._transport is not None:
            connection = self._transport.get_extra_info("socket")
            with contextlib.suppress(OSError):
                connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
            self._transport.abort()


def serve(ips: Sequence[str], commands: Sequence[Command], pipe: Pipe, seed: str) -> None:
    """The whole process: says "ready" over the pipe, is told the start (monotonic seconds), ends when the pipe does."""
    asyncio.run(_serve(ips, commands, pipe, seed))


async def _serve(ips: Sequence[str], commands: Sequence[Command], pipe: Pipe, seed: str) -> None:
    loop = asyncio.get_running_loop()
    endpoints = {ip: Endpoint(ip, f"{seed}/{ip}") for ip in ips}
    for endpoint in endpoints.values():
        await endpoint.open()
    gc.disable()  # pauses would show as late answers
    over = loop.create_future()
    tasks: set[asyncio.Task[None]] = set()

    def behave(ip: str, behaviour: Behaviour) -> None:
        task = loop.create_task(endpoints[ip].behave(behaviour))
        tasks.add(task)
        task.add_done_callback(tasks.discard)

    def told() -> None:
        try:
            start = float(pipe.recv())
        except EOFError:
            loop.remove_reader(pipe.fileno())
            over.set_result(None)
            return
        for at, ip, behaviour in commands:
            loop.call_at(start + at, behave, ip, behaviour)

    loop.add_reader(pipe.fileno(), told)
    pipe.send("ready")
    await over
