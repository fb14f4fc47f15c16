"""A name server on 127.0.0.1 that answers each name in another way, most of them wrong."""

import socket
import socketserver
import struct
import sys
import threading

NXDOMAIN, SERVFAIL = 3, 2
A, CNAME = 1, 5
asked: dict[str, int] = {}


def name_of(query: bytes) -> tuple[str, int, int]:
    """The name of a query, its type, and where the question ends."""
    place, labels = 12, []
    while query[place]:
        labels.append(query[place + 1:place + 1 + query[place]].decode())
        place += query[place] + 1
    return ".".join(labels), struct.unpack("!H", query[place + 1:place + 3])[0], place + 5


def address(text: str) -> bytes:
    return b"\xc0\x0c" + struct.pack("!HHIH", A, 1, 0, 4) + socket.inet_aton(text)


def alias(owner: bytes, target: str) -> bytes:
    data = b"".join(bytes([len(label)]) + label.encode() for label in target.split(".")) + b"\0"
    return owner + struct.pack("!HHIH", CNAME, 1, 0, len(data)) + data


def records(name: str, number: int) -> tuple[int, list[bytes]] | None:
    """The code and the records for a name; nothing for silence."""
    match name.split(".")[0]:
        case "unknown": return NXDOMAIN, []
        case "broken": return SERVFAIL, []
        case "silent": return None
        case "empty": return 0, []
        case "many": return 0, [address(f"127.0.{index >> 8}.{index & 255}") for index in range(1, 4_001)]
        case "circle": return 0, [alias(b"\xc0\x0c", "circle.test")]
        # Gone at first, there a little later.
        case "later": return (NXDOMAIN, []) if number <= 1 else (0, [address("127.0.0.1")])
        case _: return 0, [address("127.0.0.1")]


def answer(query: bytes, limit: int) -> bytes | None:
    name, kind, end = name_of(query)
    if kind == A:
        asked[name] = asked.get(name, 0) + 1
    found = records(name, asked.get(name, 0))
    if found is None:
        return None
    code, answers = found
    if kind != A and code == 0:
        answers = [record for record in answers if record[2:4] == struct.pack("!H", CNAME)]
    body = b"".join(answers)
    # What is too long for a datagram is asked for again over a connection.
    flags = 0x8180 | code
    if len(body) + end > limit:
        flags, answers, body = flags | 0x0200, [], b""
    return query[:2] + struct.pack("!HHHHH", flags, 1, len(answers), 0, 0) + query[12:end] + body


class Datagram(socketserver.BaseRequestHandler):
    def handle(self):
        query, sender = self.request
        if reply := answer(query, 512):
            sender.sendto(reply, self.client_address)


class Connection(socketserver.StreamRequestHandler):
    def handle(self):
        while length := self.rfile.read(2):
            if reply := answer(self.rfile.read(struct.unpack("!H", length)[0]), 65_000):
                self.wfile.write(struct.pack("!H", len(reply)) + reply)


def main() -> None:
    socketserver.ThreadingTCPServer.allow_reuse_address = True
    connections = socketserver.ThreadingTCPServer(("127.0.0.1", 53), Connection)
    threading.Thread(target=connections.serve_forever, daemon=True).start()
    datagrams = socketserver.ThreadingUDPServer(("127.0.0.1", 53), Datagram)
    print("ready", flush=True)
    datagrams.serve_forever()


if __name__ == "__main__":
    sys.exit(main())
