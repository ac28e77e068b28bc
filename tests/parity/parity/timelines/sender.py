"""Sends the requests of many timelines through one Envoy, each at its moment, and keeps what became of them."""

import asyncio
import gc
import random
import re
import socket
import time
from collections.abc import Sequence
from dataclasses import dataclass, field

from parity.timelines.script import Kind
from parity.traffic import OUTCOME_OF_FLAG

LONGEST_WAIT = 20.0
_HEAD = re.compile(
    rb"HTTP/1\.1 (\d{3}).*?\r\nx-host: ([^\r]*)\r\nx-response-flags: ([^\r]*)\r\nx-response-details: ([^\r]*)\r\n",
    re.IGNORECASE | re.DOTALL,
)
_COOKIE = re.compile(rb"\r\nset-cookie: ([^=\r]+=[^;\r]+)", re.IGNORECASE)
_LENGTH = re.compile(rb"\r\ncontent-length: (\d+)", re.IGNORECASE)


@dataclass(frozen=True)
class Stream:
    """The requests of one timeline: `rate` a second for `duration` seconds, and before the start for `warm_up` seconds."""

    authority: str
    rate: float
    duration: float
    warm_up: float
    kinds: Sequence[Kind] = (Kind(),)


@dataclass
class Sent:
    """`requests`: seconds from the start, address of the last host that was tried ("" where none was), outcome, and
    which kind of request it was, from 0."""

    requests: list[tuple[float, str, str, int]] = field(default_factory=list)
    latest: float = 0.0  # how late the latest request was, in seconds


class _Connection(asyncio.Protocol):
    def __init__(self, sender: "_Sender") -> None:
        self._sender = sender
        self._received = b""
        self._transport: asyncio.Transport | None = None
        self.kind = 0

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        assert isinstance(transport, asyncio.Transport)
        transport.get_extra_info("socket").setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        self._transport = transport

    def send(self, request: bytes, kind: int) -> None:
        assert self._transport is not None
        self.kind = kind
        self._transport.write(request)

    def data_received(self, data: bytes) -> None:
        self._received += data
        end = self._received.find(b"\r\n\r\n")
        if end < 0:
            return
        length = _LENGTH.search(self._received, 0, end + 2)
        total = end + 4 + (int(length.group(1)) if length else 0)
        if len(self._received) < total:
            return
        head, self._received = self._received[: end + 4], self._received[total:]
        self._sender.note(self, head)

    def connection_lost(self, exc: Exception | None) -> None:
        self._sender.lost(self)


class _Sender:
    def __init__(self, port: int, stream: Stream, start: float, sent: Sent) -> None:
        self._port = port
        self._stream = stream
        self._start = start
        self._sent = sent
        self._draw = random.Random(f"{stream.authority}/{start}")
        self._weights = [kind.weight for kind in stream.kinds]
        self._heads = [
            f"GET / HTTP/1.1\r\nhost: {stream.authority}\r\n".encode()
            + b"".join(f"{name}: {value}\r\n".encode() for name, value in kind.headers)
            for kind in stream.kinds
        ]
        self._cookies: list[bytes] = [b"" for _ in stream.kinds]
        self._idle: list[_Connection] = []
        self._next = -round(stream.warm_up * stream.rate)
        self.open: dict[_Connection, float] = {}
        self._tasks: set[asyncio.Task[None]] = set()

    def schedule(self) -> None:
        at = self._next / self._stream.rate
        if at < self._stream.duration:
            asyncio.get_running_loop().call_at(self._start + at, self._fire)

    def _fire(self) -> None:
        at = self._next / self._stream.rate
        self._sent.latest = max(self._sent.latest, time.monotonic() - self._start - at)
        self._next += 1
        self.schedule()
        kind = self._draw.choices(range(len(self._heads)), self._weights)[0]
        if self._idle:
            connection = self._idle.pop()
            self.open[connection] = at
            connection.send(self._request(kind), kind)
            return
        task = asyncio.get_running_loop().create_task(self._connect(at, kind))
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    def _request(self, kind: int) -> bytes:
        cookie = self._cookies[kind]
        return self._heads[kind] + (b"cookie: " + cookie + b"\r\n" if cookie else b"") + b"\r\n"

    async def _connect(self, at: float, kind: int) -> None:
        loop = asyncio.get_running_loop()
        _, connection = await loop.create_connection(lambda: _Connection(self), "127.0.0.1", self._port)
        self.open[connection] = at
        connection.send(self._request(kind), kind)

    def note(self, connection: _Connection, head: bytes) -> None:
        at = self.open.pop(connection)
        found = _HEAD.match(head)
        if found is None:
            raise ValueError(f"not an answer: {head!r}")
        status, host, flags = int(found.group(1)), found.group(2).decode(), found.group(3).decode().split(",")
        outcome = "ok" if status < 400 else "upstream_error"
        # A retry that a breaker stops leaves the flag of overflow beside the answer that it was meant to replace.
        if outcome != "ok" and found.group(4) != b"via_upstream":
            outcome = next((name for flag, name in OUTCOME_OF_FLAG.items() if flag in flags), outcome)
        if cookie := _COOKIE.search(head):
            self._cookies[connection.kind] = cookie.group(1)
        self._sent.requests.append((at, "" if host == "-" else host.rpartition(":")[0], outcome, connection.kind))
        self._idle.append(connection)

    def lost(self, connection: _Connection) -> None:
        if connection in self._idle:
            self._idle.remove(connection)
        at = self.open.pop(connection, None)
        if at is not None:
            self._sent.requests.append((at, "", "lost", connection.kind))


async def send_streams(port: int, streams: Sequence[Stream], start: float) -> list[Sent]:
    """Sends all streams from `start` on (monotonic seconds), and waits for the answers."""
    sent = [Sent() for _ in streams]
    senders = [_Sender(port, stream, start, of) for stream, of in zip(streams, sent, strict=True)]
    gc.collect()
    gc.disable()  # pauses would show as late requests
    for sender in senders:
        sender.schedule()
    end = start + max(stream.duration for stream in streams)
    await asyncio.sleep(max(0.0, end - time.monotonic()) + 0.1)
    until = time.monotonic() + LONGEST_WAIT
    while any(sender.open for sender in senders) and time.monotonic() < until:
        await asyncio.sleep(0.05)
    gc.enable()
    for of in sent:
        of.requests = sorted(request for request in of.requests if request[0] >= 0.0)
    return sent
