"""aria2's JSON-RPC beside aria2c: calls a second over HTTP and a WebSocket, 100,000 rows by pages, and its cost while nothing happens.

Both servers have one core, and answer one client on another one; the rows are paused. Calls are tellStatus of one row.
"""

import base64
import json
import os
import socket
import statistics
import struct
import subprocess
import time

from support.bench import Bench, print_rows

PAGE = 1_000


class Server:
    """A server of aria2's interface with one core, and a connection to it."""

    def __init__(self, command: list[str], port: int):
        self.port = port
        core = min(os.sched_getaffinity(0))
        self.process = subprocess.Popen(
            ["taskset", "-c", str(core), *command], stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL)
        deadline = time.monotonic() + 60
        while True:
            try:
                self.socket = self.connect()
                break
            except ConnectionRefusedError:
                assert time.monotonic() < deadline and self.process.poll() is None, "the interface does not listen"
                time.sleep(0.05)

    def __enter__(self) -> "Server":
        return self

    def __exit__(self, *_: object) -> None:
        self.socket.close()
        self.process.terminate()
        self.process.wait(30)

    def connect(self) -> socket.socket:
        connection = socket.create_connection(("127.0.0.1", self.port), timeout=120)
        connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        return connection

    def post(self, body: bytes) -> bytes:
        self.socket.sendall(b"POST /jsonrpc HTTP/1.1\r\nHost: localhost\r\nContent-Length: %d\r\n\r\n" % len(body) + body)
        data = b""
        while b"\r\n\r\n" not in data:
            data += self.receive()
        head, _, answer = data.partition(b"\r\n\r\n")
        length = next(int(line.split(b":")[1]) for line in head.split(b"\r\n") if line.lower().startswith(b"content-length"))
        parts = [answer]
        count = len(answer)
        while count < length:
            parts.append(self.receive())
            count += len(parts[-1])
        return b"".join(parts)

    def receive(self) -> bytes:
        data = self.socket.recv(1 << 20)
        assert data, "the server has closed the connection"
        return data

    def call(self, method: str, *parameters: object) -> object:
        answer = json.loads(self.post(call(method, *parameters)))
        assert "result" in answer, f"{method}: {answer}"
        return answer["result"]

    def add(self, count: int) -> str:
        """Adds paused downloads, and returns the GID of the first one."""
        calls = [{"jsonrpc": "2.0", "id": 1, "method": "aria2.addUri",
                  "params": [[f"http://127.0.0.1:9/{number}"], {"pause": "true"}]} for number in range(count)]
        first = None
        for start in range(0, count, PAGE):
            answers = json.loads(self.post(json.dumps(calls[start:start + PAGE]).encode()))
            first = first or answers[0]["result"]
        return first

    def threads(self) -> dict[str, tuple[int, int]]:
        """The processor time of each thread in nanoseconds, and how often it has gone to sleep."""
        counts = {}
        for thread in os.listdir(f"/proc/{self.process.pid}/task"):
            folder = f"/proc/{self.process.pid}/task/{thread}"
            try:
                with open(f"{folder}/schedstat", encoding="ascii") as file:
                    spent = int(file.read().split()[0])
                with open(f"{folder}/status", encoding="ascii") as file:
                    sleeps = int(next(line.split()[1] for line in file if line.startswith("voluntary_ctxt")))
            except FileNotFoundError:
                # It has ended in the meantime.
                continue
            counts[thread] = (spent, sleeps)
        return counts


def call(method: str, *parameters: object) -> bytes:
    return json.dumps({"jsonrpc": "2.0", "id": 1, "method": f"aria2.{method}", "params": list(parameters)}).encode()


def open_websocket(server: Server) -> socket.socket:
    connection = server.connect()
    key = base64.b64encode(os.urandom(16))
    connection.sendall(b"GET /jsonrpc HTTP/1.1\r\nHost: localhost\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
                       b"Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: " + key + b"\r\n\r\n")
    data = b""
    while b"\r\n\r\n" not in data:
        data += connection.recv(4_096)
    assert b" 101 " in data.split(b"\r\n")[0], "it did not become a WebSocket"
    return connection


def frame(body: bytes) -> bytes:
    """A message of text with a mask of zeros, which leaves the bytes as they are."""
    length = bytes([0x80 | len(body)]) if len(body) < 126 else b"\xfe" + struct.pack(">H", len(body))
    return b"\x81" + length + bytes(4) + body


def read_frame(connection: socket.socket, data: bytes) -> bytes:
    """What is left of the received bytes after one message."""
    def more(count: int) -> None:
        nonlocal data
        while len(data) < count:
            piece = connection.recv(1 << 20)
            assert piece, "the WebSocket was closed"
            data += piece
    more(2)
    length, start = data[1] & 127, 2
    if length == 126:
        more(4)
        length, start = struct.unpack(">H", data[2:4])[0], 4
    elif length == 127:
        more(10)
        length, start = struct.unpack(">Q", data[2:10])[0], 10
    more(start + length)
    return data[start + length:]


def rates(server: Server, gid: str, seconds: float) -> tuple[float, float]:
    """Calls a second over one connection of HTTP, and over a WebSocket."""
    body = call("tellStatus", gid)
    end, count, began = time.monotonic() + seconds, 0, time.monotonic()
    while time.monotonic() < end:
        server.post(body)
        count += 1
    http = count / (time.monotonic() - began)
    connection, message, rest = open_websocket(server), frame(body), b""
    end, count, began = time.monotonic() + seconds, 0, time.monotonic()
    while time.monotonic() < end:
        connection.sendall(message)
        rest = read_frame(connection, rest)
        count += 1
    connection.close()
    return http, count / (time.monotonic() - began)


def pages(server: Server, count: int) -> float:
    """Seconds for every row, page by page."""
    began, rows = time.monotonic(), 0
    for start in range(0, count, PAGE):
        answer = server.post(call("tellWaiting", start, PAGE))
        rows += answer.count(b'"gid"')
    assert rows == count, f"{rows} rows instead of {count}"
    return time.monotonic() - began


def idle(server: Server, seconds: float) -> tuple[float, int]:
    """Milliseconds of processor time and wake-ups while nothing happens."""
    time.sleep(2)
    before = server.threads()
    time.sleep(seconds)
    # Threads without work end by themselves, and a new one counts from its beginning.
    differences = [
        (spent - before.get(thread, (0, 0))[0], sleeps - before.get(thread, (0, 0))[1])
        for thread, (spent, sleeps) in server.threads().items()]
    return sum(spent for spent, _ in differences) / 1e6, sum(sleeps for _, sleeps in differences)


def run(bench: Bench) -> None:
    count = 5_000 if bench.is_quick else 100_000
    seconds = 1.0 if bench.is_quick else 5.0
    folder = bench.folder / "aria2-rpc"
    bench.fresh_folder(folder)
    commands = {
        "netdash": lambda port: [bench.netdash, "serve", "--quiet", "--session", f"rpc-{port}", f"--rpc={port}", "-d", str(folder)],
        "aria2c": lambda port: ["aria2c", "-q", "--no-conf", "--enable-rpc", f"--rpc-listen-port={port}", "-d", str(folder)]}
    figures: dict[str, dict[str, list[float]]] = {name: {} for name in commands}

    def note(name: str, figure: str, value: float) -> None:
        figures[name].setdefault(figure, []).append(value)

    for number in range(bench.rounds):
        for place, (name, command) in enumerate(commands.items()):
            port = 20_000 + (os.getpid() * 7 + number * 2 + place) % 10_000
            with Server(command(port), port) as server:
                # The server ends a silent connection after 30 s, which is work of its own.
                server.socket.close()
                cost, wakes = idle(server, 5 * seconds)
                note(name, "idle, ms of CPU", cost)
                note(name, "idle, wake-ups", wakes)
                connection = open_websocket(server)
                cost, wakes = idle(server, 5 * seconds)
                note(name, "idle with a WebSocket, ms of CPU", cost)
                note(name, "idle with a WebSocket, wake-ups", wakes)
                connection.close()
                server.socket = server.connect()
                gid = server.add(count)
                http, websocket = rates(server, gid, seconds)
                note(name, "calls a second, HTTP", http)
                note(name, "calls a second, WebSocket", websocket)
                note(name, f"s for {count:,} rows", pages(server, count))
    middle = {name: {figure: statistics.median(values) for figure, values in own.items()} for name, own in figures.items()}
    print_rows([["", *middle]] + [
        [figure, *[f"{own[figure]:,.2f}" for own in middle.values()]] for figure in middle["netdash"]], bench.markdown)
    own, other = middle["netdash"], middle["aria2c"]
    for figure in ("calls a second, HTTP", "calls a second, WebSocket"):
        bench.gate(f"2,000 of the {figure}", 2_000 / own[figure], 1)
    rows = f"s for {count:,} rows"
    bench.gate(f"{rows} against aria2c", own[rows] / other[rows], 1)
    for figure in ("idle, wake-ups", "idle with a WebSocket, wake-ups"):
        bench.gate(figure, own[figure], 0)
    bench.end()
