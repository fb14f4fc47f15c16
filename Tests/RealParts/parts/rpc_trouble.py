"""aria2's interface under trouble: crowds, half messages, floods, large requests, strange pages, and restarts."""

import base64
import json
import os
import pathlib
import shutil
import signal
import socket
import subprocess
import time

from looking import NETDASH, Report, environment, wait_until
from servers import Missing, Servers, free_port, listens

CROWD = 1_000


class Service:
    """netdash with the interface, for one folder."""

    def __init__(self, servers: Servers):
        self.port = free_port()
        self.variables = environment(servers.folder)
        self.folder = servers.folder
        self.log = open(servers.folder / "service.log", "ab")
        self.start()

    def start(self) -> None:
        self.process = subprocess.Popen(
            [NETDASH, "serve", f"--rpc={self.port}"], cwd=self.folder, env=self.variables, stdin=subprocess.DEVNULL,
            stdout=self.log, stderr=self.log)
        wait_until(lambda: listens(self.port) or self.process.poll() is not None, 120)
        if self.process.poll() is not None or not listens(self.port):
            raise OSError(f"the interface does not listen: {(self.folder / 'service.log').read_text()[-300:]}")

    def end(self, number: int = signal.SIGTERM) -> int:
        self.process.send_signal(number)
        return self.process.wait(60)

    def connect(self) -> socket.socket:
        return socket.create_connection(("127.0.0.1", self.port), timeout=60)

    def post(self, body: bytes, *fields: str, host: str = "localhost") -> tuple[int, bytes]:
        """The status and the body of an answer; 0 for a connection that was closed without one."""
        head = f"POST /jsonrpc HTTP/1.1\r\nHost: {host}\r\nContent-Length: {len(body)}\r\nConnection: close\r\n"
        head += "".join(f"{field}\r\n" for field in fields) + "\r\n"
        data = b""
        with self.connect() as connection:
            try:
                connection.sendall(head.encode() + body)
            except OSError:
                pass
            try:
                while piece := connection.recv(1 << 20):
                    data += piece
            except OSError:
                pass
        head_bytes, _, answer = data.partition(b"\r\n\r\n")
        return (int(head_bytes.split()[1]) if head_bytes else 0), answer

    def call(self, method: str, *parameters: object) -> object:
        body = json.dumps({"id": 1, "method": method, "params": list(parameters)}).encode()
        return json.loads(self.post(body)[1]).get("result")

    def websocket(self) -> socket.socket:
        connection = self.connect()
        key = base64.b64encode(os.urandom(16)).decode()
        connection.sendall((
            f"GET /jsonrpc HTTP/1.1\r\nHost: localhost\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
            f"Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: {key}\r\n\r\n").encode())
        if b" 101 " not in connection.recv(4_096):
            raise OSError("no WebSocket")
        return connection

    def descriptors(self) -> int:
        return len(os.listdir(f"/proc/{self.process.pid}/fd"))

    def answers(self) -> str | None:
        """What is wrong with its answer to a plain question."""
        version = self.call("aria2.getVersion")
        return None if version else "it does not answer"


def ends(connection: socket.socket) -> str | None:
    """What is wrong with the end of a connection."""
    connection.settimeout(30)
    try:
        while connection.recv(1 << 16):
            pass
    except ConnectionResetError:
        pass
    except TimeoutError:
        return "the connection stays open"
    return None


def crowd(service: Service, report: Report) -> None:
    before = service.descriptors()
    connections = []
    for _ in range(CROWD):
        try:
            connections.append(service.connect())
        except OSError:
            break
    for connection in connections:
        connection.close()
    report.check("rpc", f"answers after {CROWD} connections at once", service.answers())
    settled = wait_until(lambda: service.descriptors() <= before + 2)
    report.check("rpc", "no descriptor stays of them", None if settled else f"{service.descriptors()} instead of {before}")


def floods(service: Service, report: Report) -> None:
    half = service.websocket()
    half.sendall(b"\x81\xfe\x10\x00")
    report.check("rpc", "half a frame keeps nobody waiting", service.answers())
    half.close()
    flood = service.websocket()
    try:
        for _ in range(200):
            flood.sendall((b"\x89\xfd" + bytes(4) + b"p" * 125) * 100)
    except OSError:
        pass
    report.check("rpc", "20,000 pings that nobody reads keep nobody waiting", service.answers())
    flood.close()


def requests(service: Service, report: Report) -> None:
    status, _ = service.post(b"[" + b" " * (3 << 20) + b"]")
    report.check("rpc", "3 MiB are refused", None if status in (0, 413) else f"status {status}")
    call = b'{"id":1,"method":"aria2.getVersion"}'
    status, answer = service.post(b"[" + b",".join([call] * 10_000) + b"]")
    count = len(json.loads(answer)) if status == 200 else -1
    report.check("rpc", "a batch of 10,000", None if count == 10_000 or status in (400, 500) and b"error" in answer else f"{status}, {count}")
    urls = [f"http://127.0.0.1:9/{number}" for number in range(10_000)]
    gid = service.call("aria2.addUri", urls, {"pause": "true"})
    report.check("rpc", "a download with 10,000 mirrors", None if gid else "it was not added")
    status, answer = service.post(b"[" * 100_000)
    report.check("rpc", "JSON of a depth of 100,000 is refused", None if b"error" in answer else f"status {status}")
    report.check("rpc", "it answers after them", service.answers())


def strangers(service: Service, report: Report) -> None:
    for name, fields, host in [
        ("another name of this machine", [], "attacker.example"), ("a page", ["Origin: https://attacker.example"], "localhost"),
        ("a page without an origin", ["Origin: null"], "localhost")]:
        status, _ = service.post(b'{"id":1,"method":"aria2.getVersion"}', *fields, host=host)
        report.check("rpc", f"{name} is refused", None if status == 403 else f"status {status}")


def restarts(service: Service, report: Report) -> None:
    wanted = [service.call("aria2.addUri", [f"http://127.0.0.1:9/r{number}"], {"pause": "true"}) for number in range(5)]
    for number in [signal.SIGTERM, signal.SIGKILL]:
        held = [service.connect() for _ in range(20)] + [service.websocket() for _ in range(5)]
        code = service.end(number)
        if number == signal.SIGTERM:
            report.check("rpc", "it stops with open connections", None if code == 0 else f"exit code {code}")
        problems = [problem for connection in held if (problem := ends(connection))]
        report.check("rpc", f"every client sees the end by signal {number}", problems[0] if problems else None)
        began = time.monotonic()
        service.start()
        report.check("rpc", "its port is free for the next one", None if time.monotonic() - began < 20 else "it took long")
        waiting = [row["gid"] for row in service.call("aria2.tellWaiting", 0, 100, ["gid"])]
        missing = [gid for gid in wanted if gid not in waiting]
        report.check("rpc", f"every task is there after signal {number}", f"{len(missing)} are missing" if missing else None)
        for connection in held:
            connection.close()


def saved_list(service: Service, report: Report) -> None:
    path = pathlib.Path(service.folder) / "saved.txt"
    service.call("aria2.changeGlobalOption", {"save-session": str(path)})
    service.call("aria2.saveSession")
    text = path.read_text()
    report.check("rpc", "saveSession writes the list", None if "gid=" in text else "it has no GID")
    aria2c = shutil.which("aria2c")
    if aria2c is None:
        return report.say("rpc", "aria2c is not on this machine, the saved list was not shown to it")
    read = subprocess.run([aria2c, "--no-conf", "-i", str(path), "--dry-run=true", "--max-tries=1", "--enable-rpc=false"],
                          capture_output=True, text=True, timeout=60, check=False, cwd=service.folder)
    said = read.stdout + read.stderr
    # The port is shut, so aria2c tries each download and says so.
    # Its last line names the option of its log after any failure.
    strange = [line for line in said.splitlines()
               if "option" in line.lower() and "see the log file" not in line or "encountered a problem" in line]
    if "127.0.0.1:9/r0" not in said:
        strange.append("it does not name the first download")
    report.check("rpc", "aria2c reads the saved list", strange[0] if strange else None)


def rpc(servers: Servers, report: Report) -> None:
    try:
        service = Service(servers)
    except OSError as problem:
        # The libraries of the interface are not part of every machine.
        if "apt install" in str(problem):
            raise Missing(problem) from problem
        raise
    try:
        for part in [crowd, floods, requests, strangers, restarts, saved_list]:
            part(service, report)
        service.call("aria2.shutdown")
        report.check("rpc", "shutdown ends it", None if service.process.wait(30) == 0 else "another exit code")
    finally:
        if service.process.poll() is None:
            service.end(signal.SIGKILL)
        service.log.close()
