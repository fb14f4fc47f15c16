"""The server of the soak: files of many sizes, and on order a fault on one of the answers that are under way.

A file's name says what is in it: `NUMBER-LENGTH` begins at a place in one pool of bytes. Some change while they are
fetched; then each of their versions is a right file, and a mixture of two is none.
"""

import hashlib
import random
import re
import socket
import struct
import threading
import time
import typing

import common

POOL_LENGTH = 96 << 20
PIECE = 1 << 16
SURPLUS = b"HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nother"
FAULTS = ("reset", "close", "stall", "slow", "refuse", "unavailable", "change", "ignore-range", "surplus", "wrong-range")


def pool(seed: int) -> memoryview:
    """Bytes without repetition."""
    return memoryview(random.Random(seed).randbytes(POOL_LENGTH))


class Files:
    """What the server has."""

    def __init__(self, seed: int) -> None:
        self.pool, self.versions, self.lock = pool(seed), {}, threading.Lock()

    def body(self, name: str, version: int) -> memoryview:
        number, length = (int(part) for part in name.split("-"))
        # Another version begins elsewhere, so no two have a byte in common for long.
        start = (number * 7919 + version * 104_729) % (POOL_LENGTH - length)
        return self.pool[start : start + length]

    def version(self, name: str) -> int:
        with self.lock:
            return self.versions.get(name, 0)

    def change(self, name: str) -> None:
        with self.lock:
            self.versions[name] = self.versions.get(name, 0) + 1

    def is_right(self, name: str, body: bytes) -> bool:
        """Whether a body is one of the versions, whole."""
        return any(self.body(name, version) == body for version in range(self.version(name) + 1))

    def forget(self, name: str) -> None:
        with self.lock:
            self.versions.pop(name, None)


class Connection:
    """One client, and what is to go wrong with it."""

    def __init__(self, peer: socket.socket) -> None:
        self.peer, self.fault, self.name = peer, None, None


class SoakServer:
    """Serves the files, takes uploads and does what it is told to do wrong."""

    def __init__(self, files: Files, rate: int) -> None:
        self.files, self.rate = files, rate
        self.connections: set[Connection] = set()
        self.uploads: dict[str, bool] = {}
        self.orders: list[str] = []
        self.lock = threading.Lock()
        self.listener = socket.create_server(("127.0.0.1", 0), backlog=256)
        self.url = f"http://127.0.0.1:{self.listener.getsockname()[1]}"
        threading.Thread(target=self._accept, daemon=True).start()

    def strike(self, chance: random.Random) -> str:
        """Lets one thing go wrong; answers which."""
        fault = chance.choice(FAULTS)
        with self.lock:
            busy = [connection for connection in self.connections if connection.name]
            if fault in ("reset", "close", "stall", "slow", "change") and busy:
                connection = chance.choice(busy)
                if fault == "change":
                    self.files.change(connection.name)
                else:
                    connection.fault = fault
            else:
                self.orders.append(fault)
        return fault

    def quiet(self) -> None:
        """Nothing goes wrong any more."""
        with self.lock:
            self.orders.clear()

    def close_connections(self) -> None:
        """Closes the connections that rest, as servers do after a while."""
        with self.lock:
            resting = [connection for connection in self.connections if connection.name is None]
        for connection in resting:
            connection.peer.shutdown(socket.SHUT_RDWR)

    def _accept(self) -> None:
        while True:
            peer, _ = self.listener.accept()
            threading.Thread(target=self._serve, args=(peer,), daemon=True).start()

    def _serve(self, peer: socket.socket) -> None:
        connection = Connection(peer)
        with self.lock:
            self.connections.add(connection)
        try:
            with peer, peer.makefile("rb") as lines:
                while self._serve_one(connection, lines):
                    connection.name = None
        except (OSError, ValueError):
            pass  # The client has left, or was made to.
        finally:
            with self.lock:
                self.connections.discard(connection)

    def _order(self) -> str | None:
        with self.lock:
            return self.orders.pop(0) if self.orders else None

    def _serve_one(self, connection: Connection, lines: typing.BinaryIO) -> bool:
        read = common.read_request(lines)
        if read is None:
            return False
        method, target, fields = read
        name = target.rsplit("/", 1)[-1]
        order = self._order()
        if order == "refuse":
            raise OSError("as ordered")
        if order == "unavailable":
            connection.peer.sendall(b"HTTP/1.1 503 Service Unavailable\r\nRetry-After: 1\r\nContent-Length: 0\r\n\r\n")
            return method != "PUT"
        if method == "PUT":
            return self._take(connection, lines, name, int(fields.get("content-length", "0")))
        return self._give(connection, name, fields, order)

    def _take(self, connection: Connection, lines: typing.BinaryIO, name: str, length: int) -> bool:
        connection.name, digest, rest = name, hashlib.sha256(), length
        while rest:
            piece = lines.read(min(rest, PIECE))
            if not piece:
                return False
            digest.update(piece)
            rest -= len(piece)
            self._obey(connection)
        right = hashlib.sha256(self.files.body(name, 0)).digest() == digest.digest()
        with self.lock:
            self.uploads[name] = self.uploads.get(name, True) and right
        connection.peer.sendall(b"HTTP/1.1 201 Created\r\nContent-Length: 0\r\n\r\n")
        return True

    def _give(self, connection: Connection, name: str, fields: dict[str, str], order: str | None) -> bool:
        version = self.files.version(name)
        body, tag, start = self.files.body(name, version), f'"{name}.{version}"', 0
        found = re.fullmatch(r"bytes=(\d+)-", fields.get("range", ""))
        if found and fields.get("if-range", tag) == tag and order != "ignore-range":
            start = int(found[1])
        if start and start >= len(body):
            head = f"HTTP/1.1 416 Range Not Satisfiable\r\nContent-Range: bytes */{len(body)}\r\nContent-Length: 0\r\n\r\n"
            connection.peer.sendall(head.encode())
            return True
        told = start + 5 if order == "wrong-range" else start
        status = f"206 Partial Content\r\nContent-Range: bytes {told}-{len(body) - 1}/{len(body)}" if start else "200 OK"
        head = f"HTTP/1.1 {status}\r\nETag: {tag}\r\nContent-Length: {len(body) - start}\r\n\r\n"
        connection.peer.sendall(head.encode())
        connection.name = name
        for place in range(start, len(body), PIECE):
            piece = body[place : place + PIECE]
            # It goes along with the end: what comes after the next request could be anybody's answer.
            is_last = place + PIECE >= len(body)
            connection.peer.sendall(bytes(piece) + SURPLUS if order == "surplus" and is_last else piece)
            self._obey(connection)
            time.sleep(PIECE / self.rate)
        return True

    def _obey(self, connection: Connection) -> None:
        fault, connection.fault = connection.fault, None
        if fault == "stall":
            time.sleep(3)
        elif fault == "slow":
            time.sleep(0.5)
        elif fault == "close":
            connection.peer.shutdown(socket.SHUT_RDWR)
            raise OSError("as ordered")
        elif fault == "reset":
            connection.peer.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
            raise OSError("as ordered")
