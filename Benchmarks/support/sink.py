"""A server that takes bodies as fast as it can and keeps nothing but their lengths."""

import socket
import threading


class Sink:
    def __init__(self) -> None:
        self.latest = 0
        self._socket = socket.create_server(("127.0.0.1", 0))
        self.url = f"http://127.0.0.1:{self._socket.getsockname()[1]}/"
        self._buffer = bytearray(4 << 20)

    def __enter__(self) -> "Sink":
        threading.Thread(target=self._serve, daemon=True).start()
        return self

    def __exit__(self, *_) -> None:
        self._socket.close()

    def forget(self) -> None:
        self.latest = 0

    def _serve(self) -> None:
        while True:
            try:
                connection, _ = self._socket.accept()
            except OSError:
                return
            with connection:
                self._take(connection)

    def _take(self, connection: socket.socket) -> None:
        head = b""
        while b"\r\n\r\n" not in head:
            piece = connection.recv(65536)
            if not piece:
                return
            head += piece
        head, _, body = head.partition(b"\r\n\r\n")
        fields = dict(line.lower().split(b": ", 1) for line in head.split(b"\r\n")[1:])
        if fields.get(b"expect") == b"100-continue":
            connection.sendall(b"HTTP/1.1 100 Continue\r\n\r\n")
        length = int(fields[b"content-length"])
        count = len(body)
        while count < length:
            piece = connection.recv_into(self._buffer)
            if piece == 0:
                return
            count += piece
        self.latest = count
        connection.sendall(b"HTTP/1.1 200 OK\r\nContent-Length: 0\r\nConnection: close\r\n\r\n")
