"""A server whose every answer is as slow as its path says: `/RATE/LENGTH/name` comes at RATE bytes a second.

It runs as a process of its own and sends a little to every client twenty times a second, so that transfers move as
smoothly as over a line. A rate of 0 never sends the first byte of a body.
"""

import os
import selectors
import signal
import socket
import time

BEAT = 0.05
ZEROS = bytes(1 << 16)


class PacedServer:
    """The process, as the benchmark sees it."""

    def __enter__(self) -> "PacedServer":
        listener = socket.create_server(("127.0.0.1", 0), backlog=1024)
        self.port = listener.getsockname()[1]
        self._pid = os.fork()
        if self._pid == 0:
            try:
                serve(listener)
            finally:
                os._exit(1)
        listener.close()
        return self

    def __exit__(self, *_) -> None:
        os.kill(self._pid, signal.SIGKILL)
        os.waitpid(self._pid, 0)

    def url(self, rate: int, length: int, name: str) -> str:
        return f"http://127.0.0.1:{self.port}/{rate}/{length}/{name}"


class Client:
    def __init__(self, connection: socket.socket):
        self.connection = connection
        self.request = b""
        self.rate = 0
        self.left = 0
        self.sent_at = 0.0


def serve(listener: socket.socket) -> None:
    selector = selectors.DefaultSelector()
    selector.register(listener, selectors.EVENT_READ)
    active: set[Client] = set()
    beat = time.monotonic() + BEAT
    while True:
        for key, _ in selector.select(max(beat - time.monotonic(), 0) if active else None):
            if key.fileobj is listener:
                accept(listener, selector)
            elif not receive(key.data, active):
                forget(key.data, selector, active)
        now = time.monotonic()
        if active and now >= beat:
            for client in list(active):
                if not send(client, now):
                    forget(client, selector, active)
                elif client.left == 0:
                    active.discard(client)  # It may ask for more on the same connection.
            beat = now + BEAT


def accept(listener: socket.socket, selector: selectors.BaseSelector) -> None:
    connection, _ = listener.accept()
    connection.setblocking(False)
    selector.register(connection, selectors.EVENT_READ, Client(connection))


def receive(client: Client, active: set[Client]) -> bool:
    try:
        data = client.connection.recv(65536)
    except OSError:
        return False
    client.request += data
    while b"\r\n\r\n" in client.request:
        head, _, client.request = client.request.partition(b"\r\n\r\n")
        words = head.split(b"\r\n")[0].split(b" ")
        _, rate, length, _ = words[1].split(b"/", 3)
        client.rate, client.left, client.sent_at = int(rate), int(length), time.monotonic()
        answer = b"HTTP/1.1 200 OK\r\nContent-Type: application/octet-stream\r\nContent-Length: " + length
        client.connection.send(answer + b"\r\n\r\n")
        if words[0] == b"HEAD":
            client.left = 0
        if client.rate and client.left:
            active.add(client)
    return bool(data)


def send(client: Client, now: float) -> bool:
    count = min(int(client.rate * (now - client.sent_at)), client.left, len(ZEROS))
    client.sent_at = now
    try:
        client.left -= client.connection.send(ZEROS[:count])
    except BlockingIOError:
        pass
    except OSError:
        return False
    return True


def forget(client: Client, selector: selectors.BaseSelector, active: set[Client]) -> None:
    active.discard(client)
    selector.unregister(client.connection)
    client.connection.close()
