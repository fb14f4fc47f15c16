"""A server behind another one: a file with a tag that is sent slowly, in ranges too, and cut in the middle at first.

    cut_server.py PORT BYTES RATE CUTS   RATE in bytes a second; so many answers break off after a third of the file
"""

import http.server
import re
import sys
import threading
import time

PORT, SIZE, RATE, CUTS = (int(word) for word in sys.argv[1:5])
PIECE = 32 << 10
cuts_left = CUTS
lock = threading.Lock()


def content(start: int, end: int) -> bytes:
    """Bytes of the file; each eight tell their place."""
    first = start // 8
    words = b"".join(number.to_bytes(8, "big") for number in range(first, end // 8 + 1))
    return words[start - first * 8:end - first * 8]


class Handler(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def do_GET(self) -> None:
        global cuts_left
        asked = re.fullmatch(r"bytes=(\d+)-(\d*)", self.headers.get("Range", ""))
        start, end = 0, SIZE
        if asked and self.headers.get("If-Range", '"tag"') == '"tag"':
            start = int(asked[1])
            end = min(int(asked[2]) + 1 if asked[2] else SIZE, SIZE)
        self.send_response(206 if asked else 200)
        if asked:
            self.send_header("Content-Range", f"bytes {start}-{end - 1}/{SIZE}")
        self.send_header("Content-Length", str(end - start))
        self.send_header("Accept-Ranges", "bytes")
        self.send_header("ETag", '"tag"')
        self.end_headers()
        with lock:
            is_cut = cuts_left > 0
            cuts_left -= is_cut
        stop = min(start + SIZE // 3, end) if is_cut else end
        while start < stop:
            piece = content(start, min(start + PIECE, stop))
            self.wfile.write(piece)
            start += len(piece)
            time.sleep(len(piece) / RATE)
        self.close_connection = self.close_connection or is_cut

    def log_message(self, text: str, *values: object) -> None:
        sys.stdout.write(f"{self.command} {self.headers.get('Range', 'whole')}\n")
        sys.stdout.flush()


if __name__ == "__main__":
    http.server.ThreadingHTTPServer(("127.0.0.1", PORT), Handler).serve_forever()
