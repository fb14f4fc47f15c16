"""An HTTP server on loopback whose second answer goes wrong in a chosen way: what a download meets that was cut and goes on.

Each case has an old representation, of which the first run gets a part, and a new one, which is what the server has
afterwards. What a client may end with is the new one whole, or an error.
"""

import dataclasses
import gzip
import re
import socket
import threading
import typing

import common

LENGTH = 1 << 20
PART = 400_000
PAGE = b"<html><body>Please log in</body></html>"
SMALLER, WINDOW, SURPLUS = 300_000, 200_000, 1_000


OLD, NEW = common.content("old", LENGTH), common.content("new", LENGTH)
LARGER, SHRUNK = common.content("larger", LENGTH + 50_000), common.content("shrunk", SMALLER)
SAME_AS_PART = common.content("short", PART)
OLD_TAG, NEW_TAG, WEAK_TAG = '"one"', '"two"', 'W/"one"'


@dataclasses.dataclass
class Request:
    """What a client asks for."""

    path: str
    fields: dict[str, str]
    number: int  # of those after the first run, from 1

    @property
    def start(self) -> int | None:
        """The first byte of an open range; None without one."""
        found = re.fullmatch(r"bytes=(\d+)-.*", self.fields.get("range", ""))
        return int(found[1]) if found else None

    def continues(self, tag: str) -> int:
        """The byte that an answer begins with, by the rules of If-Range."""
        wanted = self.fields.get("if-range")
        return self.start or 0 if wanted is None or wanted == tag else 0


@dataclasses.dataclass
class Answer:
    """What is sent back."""

    status: str
    fields: list[tuple[str, str]]
    body: bytes = b""
    is_chunked: bool = False
    sent: int | None = None  # bytes of the body before the connection is cut; None for all

    def head(self) -> bytes:
        fields = list(self.fields)
        if self.is_chunked:
            fields.append(("Transfer-Encoding", "chunked"))
        elif not any(name == "Content-Length" for name, _ in fields):
            fields.append(("Content-Length", str(len(self.body))))
        lines = [f"HTTP/1.1 {self.status}", "Date: Thu, 01 Jan 2026 00:00:00 GMT", *(f"{name}: {value}" for name, value in fields)]
        return ("\r\n".join(lines) + "\r\n\r\n").encode()


def whole(body: bytes, tag: str | None, *fields: tuple[str, str]) -> Answer:
    return Answer("200 OK", [*([("ETag", tag)] if tag else []), ("Accept-Ranges", "bytes"), *fields], body)


def ranged(body: bytes, tag: str, start: int, *, end: int | None = None) -> Answer:
    """The bytes from a place on, `end` not among them."""
    end = len(body) if end is None else end
    return Answer(
        "206 Partial Content", [("ETag", tag), ("Content-Range", f"bytes {start}-{end - 1}/{len(body)}")], body[start:end])


def honest(request: Request, body: bytes, tag: str) -> Answer:
    """The answer of a server that does everything right."""
    start = request.continues(tag)
    if start >= len(body) and start:
        return Answer("416 Range Not Satisfiable", [("Content-Range", f"bytes */{len(body)}")])
    return ranged(body, tag, start) if start else whole(body, tag)


def from_zero(request: Request) -> Answer:
    return ranged(NEW, OLD_TAG, 0) if request.start else whole(NEW, OLD_TAG)


def without_content_range(request: Request) -> Answer:
    if not request.start:
        return whole(OLD, OLD_TAG)
    return Answer("206 Partial Content", [("ETag", OLD_TAG)], OLD[request.start :])


def other_total(request: Request) -> Answer:
    return ranged(LARGER, NEW_TAG, request.start) if request.start else whole(LARGER, NEW_TAG)


def multipart(request: Request) -> Answer:
    if not request.start:
        return whole(OLD, OLD_TAG)
    head = f"--b\r\nContent-Type: application/octet-stream\r\nContent-Range: bytes {request.start}-{LENGTH - 1}/{LENGTH}\r\n\r\n"
    body = head.encode() + OLD[request.start :] + b"\r\n--b--\r\n"
    return Answer("206 Partial Content", [("ETag", OLD_TAG), ("Content-Type", "multipart/byteranges; boundary=b")], body)


def too_long(request: Request) -> Answer:
    answer = honest(request, OLD, OLD_TAG)
    if answer.status.startswith("206"):
        answer.body += b"x" * SURPLUS
    return answer


def too_short(request: Request) -> Answer:
    answer = honest(request, OLD, OLD_TAG)
    if request.number == 1:
        answer.sent = 100_000
    return answer


def windows(request: Request) -> Answer:
    start = request.continues(OLD_TAG)
    if request.start is None:
        return whole(OLD, OLD_TAG)
    return ranged(OLD, OLD_TAG, start, end=min(start + WINDOW, LENGTH)) if start < LENGTH else honest(request, OLD, OLD_TAG)


def unavailable(request: Request) -> Answer:
    if request.number > 1:
        return honest(request, OLD, OLD_TAG)
    return Answer("503 Service Unavailable", [("Retry-After", "1"), ("Content-Type", "text/html")], PAGE)


def login_page(request: Request) -> Answer:
    if request.path == "/login":
        return Answer("200 OK", [("Content-Type", "text/html")], PAGE)
    return Answer("302 Found", [("Location", "/login")])


def lying_status(request: Request) -> Answer:
    if not request.start:
        return whole(NEW, NEW_TAG)
    return whole(NEW, NEW_TAG, ("Content-Range", f"bytes {request.start}-{LENGTH - 1}/{LENGTH}"))


def gone(request: Request) -> Answer:
    return Answer("404 Not Found", [("Content-Type", "text/html")], PAGE)


def chunks_cut(request: Request) -> Answer:
    answer = honest(request, OLD, OLD_TAG)
    answer.is_chunked = True
    if request.number == 1:
        answer.sent = 100_000
    return answer


def weak_tag(request: Request) -> Answer:
    return ranged(NEW, WEAK_TAG, request.start) if request.start else whole(NEW, WEAK_TAG)


PACKED = gzip.compress(OLD, mtime=0)


def packed(request: Request) -> Answer:
    answer = honest(request, PACKED, OLD_TAG)
    answer.fields.append(("Content-Encoding", "gzip"))
    return answer


@dataclasses.dataclass
class Case:
    """One way of going on."""

    key: str
    title: str
    second: typing.Callable[[Request], Answer]
    right: tuple[bytes, ...]  # none where only an error is right
    first: bytes = OLD
    first_tag: str = OLD_TAG
    first_is_chunked: bool = False
    first_sent: int = PART
    first_fields: tuple[tuple[str, str], ...] = ()


CASES = [
    Case("RS-01", "nothing changed", lambda request: honest(request, OLD, OLD_TAG), (OLD,)),
    Case("RS-02", "changed, same length", lambda request: honest(request, NEW, NEW_TAG), (NEW,)),
    Case("RS-03", "changed and grew", lambda request: honest(request, LARGER, NEW_TAG), (LARGER,)),
    Case("RS-05", "ranges are ignored", lambda request: whole(OLD, OLD_TAG), (OLD,)),
    Case("RS-06", "206 that begins at byte 0", from_zero, (NEW,)),
    Case("RS-07", "206 without Content-Range", without_content_range, (OLD,)),
    Case("RS-08", "206 of another length and ETag", other_total, (LARGER,)),
    Case(
        "RS-20", "all bytes were there, 416", lambda request: honest(request, OLD, OLD_TAG), (OLD,), first_is_chunked=True,
        first_sent=LENGTH),
    Case("RS-21", "shrank, 416", lambda request: honest(request, SHRUNK, NEW_TAG), (SHRUNK,)),
    Case("RS-19", "200 as long as the part", lambda request: whole(SAME_AS_PART, NEW_TAG), (SAME_AS_PART,)),
    Case("RS-17", "multipart answer", multipart, (OLD,)),
    Case("RS-14", "206 with surplus bytes", too_long, (OLD,)),
    Case("RS-15", "206 that is cut again", too_short, (OLD,)),
    Case("RS-13", "206 shorter than asked", windows, (OLD,)),
    Case("RS-31", "503 with a page", unavailable, (OLD,)),
    Case("RS-33", "302 to a login page", login_page, ()),
    Case("RS-18", "200 with a Content-Range", lying_status, (NEW,)),
    Case("RS-32", "404 with a page", gone, ()),
    Case(
        "RS-29", "gzip in spite of identity", packed, (PACKED, OLD), first=PACKED,
        first_fields=(("Content-Encoding", "gzip"),)),
    Case("RS-16", "206 cut inside a chunk", chunks_cut, (OLD,)),
    Case("RS-23", "changed under a weak ETag", weak_tag, (NEW,), first_tag=WEAK_TAG),
]


class ResumeServer:
    """Serves one case to one client."""

    def __init__(self, case: Case) -> None:
        self.case, self.is_second, self.count, self.body_bytes, self.sends_if_range = case, False, 0, 0, False
        self.lock = threading.Lock()
        self.listener = socket.create_server(("127.0.0.1", 0), backlog=32)
        self.url = f"http://127.0.0.1:{self.listener.getsockname()[1]}/file.bin"
        threading.Thread(target=self._accept, daemon=True).start()

    def close(self) -> None:
        # A thread that waits in accept(2) is not woken by close(2) alone.
        self.listener.shutdown(socket.SHUT_RDWR)
        self.listener.close()

    def _accept(self) -> None:
        while True:
            try:
                connection, _ = self.listener.accept()
            except OSError:
                return
            threading.Thread(target=self._serve, args=(connection,), daemon=True).start()

    def _serve(self, connection: socket.socket) -> None:
        with connection, connection.makefile("rb") as lines:
            try:
                while self._serve_one(connection, lines):
                    pass
            except OSError:
                pass  # The client has left.

    def _serve_one(self, connection: socket.socket, lines: typing.BinaryIO) -> bool:
        read = common.read_request(lines)
        if read is None:
            return False
        method, target, fields = read
        with self.lock:
            self.count += self.is_second
            self.sends_if_range |= "if-range" in fields
            request = Request(target, fields, self.count)
        answer = self.case.second(request) if self.is_second else self._first()
        return self._send(connection, answer, is_head=method == "HEAD")

    def _first(self) -> Answer:
        answer = whole(self.case.first, self.case.first_tag, *self.case.first_fields)
        answer.is_chunked, answer.sent = self.case.first_is_chunked, self.case.first_sent
        return answer

    def _send(self, connection: socket.socket, answer: Answer, is_head: bool) -> bool:
        connection.sendall(answer.head())
        if is_head:
            return True
        body = answer.body if answer.sent is None else answer.body[: answer.sent]
        if answer.is_chunked:
            for start in range(0, len(body), 1 << 16):
                piece = body[start : start + (1 << 16)]
                # The last chunk announces more than comes where the connection is to be cut inside it.
                is_cut = start + len(piece) == len(body) < len(answer.body)
                announced = len(piece) + (10 if is_cut else 0)
                connection.sendall(f"{announced:x}\r\n".encode() + piece + (b"" if is_cut else b"\r\n"))
            if answer.sent is None:
                connection.sendall(b"0\r\n\r\n")
        else:
            connection.sendall(body)
        with self.lock:
            self.body_bytes += self.is_second and len(body)
        if answer.sent is None:
            return True
        # What was sent arrives before the end of the connection does.
        connection.shutdown(socket.SHUT_WR)
        while connection.recv(1 << 16):
            pass
        return False
