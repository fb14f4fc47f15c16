"""A server of one file that sends at a steady speed and counts what has arrived at the other end."""

import fcntl
import http.server
import pathlib
import socket
import struct
import termios
import threading
import time

CHUNK = 16 << 10
TCP_NOTSENT_LOWAT = 25


class CountingServer:
    """Serves a file with ranges, each connection at most at `bytes_per_second`, on a port of its own.

    A server of this kind never makes up for the time in which nobody took its bytes: what comes after a pause is the
    speed, not a burst.
    """

    def __init__(self, path: pathlib.Path, bytes_per_second: int):
        self._bytes = path.read_bytes()
        self._rate = bytes_per_second
        self._lock = threading.Lock()
        self._sent = 0
        self._connection: socket.socket | None = None
        counter = self

        class Handler(http.server.BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def do_GET(self) -> None:
                counter._serve(self)

            def log_message(self, *_) -> None:
                pass

        self._server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self._server.daemon_threads = True
        self.port = self._server.server_address[1]

    def __enter__(self) -> "CountingServer":
        threading.Thread(target=self._server.serve_forever, daemon=True).start()
        return self

    def __exit__(self, *_) -> None:
        self._server.shutdown()
        self._server.server_close()

    @property
    def arrived(self) -> int:
        """Body bytes that the client's kernel has acknowledged, give or take a head."""
        with self._lock:
            return self._sent - self._under_way()

    def _under_way(self) -> int:
        if self._connection is None:
            return 0
        try:
            return struct.unpack("i", fcntl.ioctl(self._connection, termios.TIOCOUTQ, bytes(4)))[0]
        except (OSError, ValueError):  # It was closed meanwhile.
            return 0

    def _serve(self, request: http.server.BaseHTTPRequestHandler) -> None:
        total = len(self._bytes)
        asked = request.headers.get("Range")
        start = int(asked.removeprefix("bytes=").split("-")[0]) if asked else 0
        request.send_response(206 if asked else 200)
        if asked:
            request.send_header("Content-Range", f"bytes {start}-{total - 1}/{total}")
        request.send_header("Content-Length", str(total - start))
        request.send_header("Content-Type", "application/octet-stream")
        request.send_header("ETag", '"counted"')
        request.send_header("Accept-Ranges", "bytes")
        request.end_headers()
        connection = request.connection
        connection.setsockopt(socket.IPPROTO_TCP, TCP_NOTSENT_LOWAT, CHUNK)
        with self._lock:
            self._connection = connection
        try:
            self._send(connection, start)
        except OSError:
            request.close_connection = True

    def _send(self, connection: socket.socket, start: int) -> None:
        due = time.monotonic()
        for offset in range(start, len(self._bytes), CHUNK):
            chunk = self._bytes[offset:offset + CHUNK]
            connection.sendall(chunk)
            with self._lock:
                self._sent += len(chunk)
            now = time.monotonic()
            due = max(due + len(chunk) / self._rate, now - 0.02)
            time.sleep(max(0, due - now))
