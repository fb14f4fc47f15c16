"""The servers of the story: one that sends a file slowly, and one for the page."""

import functools
import http.server
import re
import threading
import time

# Long enough for every step, however busy the machine is.
SIZE = 256 << 20
PIECE = 1 << 14
# Seconds between two pieces: about 400 KiB a second.
PAUSE = 0.04


class SlowFile(http.server.BaseHTTPRequestHandler):
    """A file of any name that can be resumed."""

    protocol_version = "HTTP/1.1"

    def do_GET(self) -> None:
        match = re.fullmatch(r"bytes=(\d+)-(\d*)", self.headers.get("Range", ""))
        start = int(match[1]) if match else 0
        end = int(match[2]) if match and match[2] else SIZE - 1
        self.send_response(206 if match else 200)
        if match:
            self.send_header("Content-Range", f"bytes {start}-{end}/{SIZE}")
        for name, value in [("Content-Length", end + 1 - start), ("ETag", '"1"'), ("Accept-Ranges", "bytes")]:
            self.send_header(name, str(value))
        self.end_headers()
        left = end + 1 - start
        try:
            while left > 0:
                count = min(PIECE, left)
                self.wfile.write(bytes(count))
                left -= count
                time.sleep(PAUSE)
        except OSError:
            self.close_connection = True

    def log_message(self, *_: object) -> None:
        pass


class Server(http.server.ThreadingHTTPServer):
    daemon_threads = True

    def handle_error(self, *_: object) -> None:
        """A client that leaves is no error."""


class Page(http.server.SimpleHTTPRequestHandler):
    def log_message(self, *_: object) -> None:
        pass


def serve(handler: type[http.server.BaseHTTPRequestHandler], folder: str | None = None) -> Server:
    """A server on a free port of loopback; its threads end with the process."""
    made = functools.partial(handler, directory=folder) if folder else handler
    server = Server(("127.0.0.1", 0), made)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    return server
