"""The client against a server that closes connections as Envoy does."""

import socket
import threading
import unittest

from parity.client import Client, request_bytes
from parity.envoy_process import workers_have_started

ANSWER = b"HTTP/1.1 200 OK\r\nx-host: 127.1.0.1:80\r\ncontent-length: 2\r\n\r\nok"


class ClosingServer:
    """Answers two requests of a connection, then closes it."""

    def __init__(self) -> None:
        self._listener = socket.create_server(("127.0.0.1", 0))
        self.port: int = self._listener.getsockname()[1]
        self.connections = 0
        threading.Thread(target=self._serve, daemon=True).start()

    def close(self) -> None:
        self._listener.close()

    def _serve(self) -> None:
        while True:
            try:
                connection, _ = self._listener.accept()
            except OSError:
                return
            self.connections += 1
            with connection:
                received = b""
                while received.count(b"\r\n\r\n") < 1:
                    received += connection.recv(1 << 16)
                connection.sendall(ANSWER)
                while received.count(b"\r\n\r\n") < 2:
                    part = connection.recv(1 << 16)
                    if not part:
                        break
                    received += part
                connection.sendall(ANSWER)


class Pipelining(unittest.TestCase):
    def test_what_a_closed_connection_left_unanswered_is_sent_again(self) -> None:
        server = ClosingServer()
        client = Client(server.port)
        answers = client.send_all([request_bytes("host", [])] * 7)
        client.close()
        server.close()
        self.assertEqual([answer.host for answer in answers], ["127.1.0.1:80"] * 7)
        self.assertGreaterEqual(server.connections, 4)


class LateServer:
    """Refuses connections for a moment, as Envoy does until its workers listen."""

    def __init__(self, seconds: float) -> None:
        self._socket = socket.socket()
        self._socket.bind(("127.0.0.1", 0))
        self.port: int = self._socket.getsockname()[1]
        threading.Timer(seconds, self._serve).start()

    def close(self) -> None:
        self._socket.close()

    def _serve(self) -> None:
        self._socket.listen()
        connection, _ = self._socket.accept()
        with connection:
            connection.recv(1 << 16)
            connection.sendall(ANSWER)


class Starting(unittest.TestCase):
    def test_a_proxy_that_does_not_listen_yet_is_waited_for(self) -> None:
        server = LateServer(0.1)
        client = Client(server.port)
        answers = client.send_all([request_bytes("host", [])])
        client.close()
        server.close()
        self.assertEqual(answers[0].status, 200)

    def test_one_that_never_listens_is_called_so(self) -> None:
        server = socket.socket()
        server.bind(("127.0.0.1", 0))
        with self.assertRaisesRegex(ConnectionError, "refuses every connection"):
            Client(server.getsockname()[1]).send_all([request_bytes("host", [])])
        server.close()

    def test_live_is_not_listening(self) -> None:
        self.assertFalse(workers_have_started("listener_manager.workers_started: 0\n"))
        self.assertFalse(workers_have_started(""))
        self.assertTrue(workers_have_started("listener_manager.workers_started: 1\n"))


class Requests(unittest.TestCase):
    def test_pseudo_headers_make_the_first_lines(self) -> None:
        written = request_bytes("case-1", [(":path", "/cart"), ("x-user", "u1"), (":method", "POST")])
        self.assertEqual(written, b"POST /cart HTTP/1.1\r\nhost: case-1\r\nx-user: u1\r\n\r\n")


if __name__ == "__main__":
    unittest.main()
