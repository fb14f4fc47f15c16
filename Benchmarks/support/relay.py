"""A slow road to a server: passes bytes on at a limited rate and counts them.

nginx takes an upload as fast as it comes, so without this a pause would have nothing to interrupt.
"""

import socket
import threading
import time

CHUNK = 64 << 10


class Relay:
    def __init__(self, target_port: int, bytes_per_second: int):
        self._target_port = target_port
        self._rate = bytes_per_second
        self._lock = threading.Lock()
        self._sent = 0
        self._listener = socket.create_server(("127.0.0.1", 0))
        # What the kernel may hold between the client and the relay would arrive during a pause: keep it small.
        self._listener.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, CHUNK)
        self.port = self._listener.getsockname()[1]

    def __enter__(self) -> "Relay":
        threading.Thread(target=self._accept, daemon=True).start()
        return self

    def __exit__(self, *_) -> None:
        self._listener.close()

    @property
    def sent(self) -> int:
        """Bytes passed on from clients to the server so far."""
        with self._lock:
            return self._sent

    def _accept(self) -> None:
        while True:
            try:
                client, _ = self._listener.accept()
            except OSError:
                return
            server = socket.create_connection(("127.0.0.1", self._target_port))
            threading.Thread(target=self._pass_slowly, args=(client, server), daemon=True).start()
            threading.Thread(target=self._pass_back, args=(server, client), daemon=True).start()

    def _pass_slowly(self, client: socket.socket, server: socket.socket) -> None:
        try:
            while data := client.recv(CHUNK):
                server.sendall(data)
                with self._lock:
                    self._sent += len(data)
                time.sleep(len(data) / self._rate)
            server.shutdown(socket.SHUT_WR)
        except OSError:
            client.close()

    @staticmethod
    def _pass_back(server: socket.socket, client: socket.socket) -> None:
        try:
            while data := server.recv(CHUNK):
                client.sendall(data)
            client.shutdown(socket.SHUT_WR)
        except OSError:
            server.close()
