"""A small HTTP/1.1 client: keep-alive, and pipelined as long as Envoy lets it.

Envoy plays the requests of one connection one after the other, so that pipelined requests are sequential ones without
the waiting. It closes a connection after the second answer of its own (503, no host) to pipelined requests; what was
not answered is then sent again, one request at a time.
"""

import contextlib
import re
import socket
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

TIMEOUT_SECONDS = 20.0
PIPELINE = 64
# Tries in a row without an answer; the pauses between them grow, half a second together.
MOST_FAILURES = 5
PAUSE_SECONDS = 0.035
_STATUS = re.compile(rb"HTTP/1\.1 (\d{3})")
_LENGTH = re.compile(rb"\r\ncontent-length: (\d+)", re.IGNORECASE)
_HOST = re.compile(rb"\r\nx-host: ([^\r]*)", re.IGNORECASE)
_CLUSTER = re.compile(rb"\r\nx-cluster: ([^\r]*)", re.IGNORECASE)
_FLAGS = re.compile(rb"\r\nx-response-flags: ([^\r]*)", re.IGNORECASE)


@dataclass(frozen=True)
class Answer:
    """What came back: the address that answered, or None if no host did, the cluster that was asked,
    and Envoy's response flags."""

    status: int
    host: str | None
    cluster: str
    flags: str


# Of a TCP proxy without a host: it closes the connection.
NO_ANSWER = Answer(0, None, "", "")


def request_bytes(authority: str, headers: Sequence[tuple[str, str]]) -> bytes:
    """The request as it goes over the wire; pseudo headers may stand among the others."""
    pseudo = {name: value for name, value in headers if name.startswith(":")}
    lines = [f"{pseudo.get(':method', 'GET')} {pseudo.get(':path', '/')} HTTP/1.1"]
    lines.append(f"host: {pseudo.get(':authority', authority)}")
    lines += [f"{name}: {value}" for name, value in headers if not name.startswith(":")]
    return ("\r\n".join(lines) + "\r\n\r\n").encode()


class Client:
    """Sends requests to one proxy over one connection at a time."""

    def __init__(self, port: int, address: str = "127.0.0.1") -> None:
        self._address = (address, port)
        self._socket: socket.socket | None = None
        self._received = b""
        self._pipeline = PIPELINE

    def close(self) -> None:
        if self._socket is not None:
            self._socket.close()
        self._socket = None
        self._received = b""

    def send_all(self, requests: Sequence[bytes]) -> list[Answer]:
        """The answers to all requests, in their order."""
        answers: list[Answer] = []
        failures = 0
        while len(answers) < len(requests):
            before = len(answers)
            ending = "closes every connection"
            try:
                answers.extend(self._send_some(requests[before : before + self._pipeline]))
            except ConnectionRefusedError:
                ending = "refuses every connection: nothing listens there"
                self.close()
            except (ConnectionError, BrokenPipeError) as error:
                ending = f"closes every connection ({error})"
                self.close()
            short = len(answers) - before < min(self._pipeline, len(requests) - before)
            self._pipeline = 1 if short else self._pipeline
            failures = 0 if len(answers) > before else failures + 1
            if failures > MOST_FAILURES:
                raise ConnectionError(f"{self._address[0]}:{self._address[1]} {ending}")
            time.sleep(failures * PAUSE_SECONDS)
        self._pipeline = PIPELINE
        return answers

    def send_apart(self, requests: Sequence[bytes]) -> list[Answer]:
        """The answers to requests over a connection each; a connection that ends without an answer found no host."""
        answers: list[Answer] = []
        for request in requests:
            answers.append(next(self._send_some([request]), NO_ANSWER))
            self.close()
        return answers

    def _send_some(self, requests: Sequence[bytes]) -> Iterator[Answer]:
        if self._socket is None:
            self._socket = socket.create_connection(self._address, timeout=TIMEOUT_SECONDS)
            self._socket.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        # What was answered before the connection closed can still be read.
        with contextlib.suppress(ConnectionError, BrokenPipeError):
            self._socket.sendall(b"".join(requests))
        for _ in requests:
            answer = self._read_answer()
            if answer is None:
                self.close()
                return
            yield answer

    def _read_answer(self) -> Answer | None:
        end = self._received.find(b"\r\n\r\n")
        while end < 0:
            if not self._receive():
                return None
            end = self._received.find(b"\r\n\r\n")
        head = self._received[: end + 2]
        status = _STATUS.match(head)
        if status is None:
            raise ConnectionError(f"not an answer: {head[:80]!r}")
        length = _LENGTH.search(head)
        total = end + 4 + (int(length.group(1)) if length else 0)
        while len(self._received) < total:
            if not self._receive():
                return None
        self._received = self._received[total:]
        host = _value(_HOST, head)
        return Answer(
            int(status.group(1)),
            None if host in ("", "-") else host,
            _value(_CLUSTER, head),
            _value(_FLAGS, head),
        )

    def _receive(self) -> bool:
        assert self._socket is not None
        try:
            part = self._socket.recv(1 << 18)
        except ConnectionError:
            return False
        self._received += part
        return bool(part)


class Clients:
    """A client for each listener."""

    def __init__(self) -> None:
        self._clients: dict[str, Client] = {}

    def of(self, address: str) -> Client:
        """`address`: 127.0.0.1:80."""
        ip, _, port = address.rpartition(":")
        return self._clients.setdefault(address, Client(int(port), ip))

    def close(self) -> None:
        for client in self._clients.values():
            client.close()


def _value(pattern: re.Pattern[bytes], head: bytes) -> str:
    found = pattern.search(head)
    return found.group(1).decode() if found else ""
