"""The server of the story of outages: slow files with ranges, and a place for uploads. Usage: ADDRESS PORT FOLDER.

Bytes trickle, so that an outage always meets something under way. An upload that came whole is written into FOLDER.
"""

import http.server
import pathlib
import sys
import time

import common

SIZE = 1_000_000
PIECE = 10_000
PAUSE = 0.04
TAG = '"1"'


def content(path: str) -> bytes:
    """The file at a path: other bytes at each."""
    return common.content(path, SIZE)


class Handler(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def log_message(self, *_: object) -> None:
        pass

    def do_GET(self) -> None:
        start = 0
        wanted = self.headers.get("Range")
        if wanted and self.headers.get("If-Range") == TAG:
            start = int(wanted.removeprefix("bytes=").split("-")[0])
        self.send_response(206 if start else 200)
        self.send_header("ETag", TAG)
        self.send_header("Accept-Ranges", "bytes")
        if start:
            self.send_header("Content-Range", f"bytes {start}-{SIZE - 1}/{SIZE}")
        self.send_header("Content-Length", str(SIZE - start))
        self.end_headers()
        body = content(self.path)
        for place in range(start, SIZE, PIECE):
            self.wfile.write(body[place : place + PIECE])
            time.sleep(PAUSE)

    def do_PUT(self) -> None:
        length = int(self.headers["Content-Length"])
        body = b""
        while len(body) < length:
            piece = self.rfile.read(min(PIECE, length - len(body)))
            if not piece:
                return
            body += piece
            time.sleep(PAUSE)
        pathlib.Path(sys.argv[3], self.path.strip("/")).write_bytes(body)
        self.send_response(201)
        self.send_header("Content-Length", "0")
        self.end_headers()


class Server(http.server.ThreadingHTTPServer):
    request_queue_size = 64

    def handle_error(self, *_: object) -> None:
        """Says nothing: clients that go away are what this is about."""


if __name__ == "__main__":
    Server((sys.argv[1], int(sys.argv[2])), Handler).serve_forever()
