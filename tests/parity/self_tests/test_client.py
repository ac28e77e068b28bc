"""The client against a server that closes connections as Envoy does."""

import socket
import threading
import unittest

from parity.client import Client, request_bytes

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


class Requests(unittest.TestCase):
    def test_pseudo_headers_make_the_first_lines(self) -> None:
        written = request_bytes("case-1", [(":path", "/cart"), ("x-user", "u1"), (":method", "POST")])
        self.assertEqual(written, b"POST /cart HTTP/1.1\r\nhost: case-1\r\nx-user: u1\r\n\r\n")


if __name__ == "__main__":
    unittest.main()
