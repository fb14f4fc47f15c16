"""Servers on loopback, begun for one part and ended with it."""

import os
import pathlib
import shutil
import signal
import socket
import subprocess
import sys
import time
import typing

SYSTEM = "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin"


class Missing(Exception):
    """A server that is not on this machine, or does not start here."""


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


def listens(port: int) -> bool:
    with socket.socket() as probe:
        return probe.connect_ex(("127.0.0.1", port)) == 0


def packages(folder: pathlib.Path, name: str, wanted: list[str]) -> pathlib.Path:
    """The programs of an environment with these packages of the Python package index; it is made when it is missing."""
    place = folder / name
    note = place / "packages"
    if not note.exists() or note.read_text().split() != wanted:
        shutil.rmtree(place, ignore_errors=True)
        try:
            subprocess.run([sys.executable, "-m", "venv", place], check=True, capture_output=True, timeout=60)
            subprocess.run([place / "bin" / "pip", "install", "--quiet", "--disable-pip-version-check", *wanted],
                           check=True, capture_output=True, timeout=240)
        except (OSError, subprocess.SubprocessError) as problem:
            lines = (getattr(problem, "stderr", None) or b"").decode(errors="replace").strip().splitlines()
            raise Missing(f"{' '.join(wanted)} cannot be installed: {lines[-1] if lines else problem}") from problem
        note.write_text("\n".join(wanted))
    return place / "bin"


class Servers:
    """What was begun, to be ended one by one."""

    def __init__(self, folder: pathlib.Path, build: pathlib.Path):
        self.folder = folder
        self.build = build
        self.programs: list[pathlib.Path] = []
        self.running: list[subprocess.Popen] = []

    def end(self) -> None:
        for process in self.running:
            if process.poll() is None:
                process.terminate()
        for process in self.running:
            try:
                process.wait(10)
            except subprocess.TimeoutExpired:
                process.kill()
                process.wait(10)
            # Each leads a group of its own, which has what it left behind.
            try:
                os.killpg(process.pid, signal.SIGKILL)
            except ProcessLookupError:
                pass
        self.running.clear()

    def install(self, name: str, *wanted: str) -> None:
        """Packages of the Python package index, whose programs are then found."""
        self.programs.insert(0, packages(self.build, name, list(wanted)))

    def has(self, program: object) -> str | None:
        return shutil.which(str(program), path=":".join([*map(str, self.programs), SYSTEM]))

    def find(self, program: object) -> str:
        found = self.has(program)
        if found is None:
            raise Missing(f"{program} is not on this machine")
        return found

    def start(self, words: typing.Sequence[object], environment: dict[str, str] | None = None,
              output: int | None = None) -> subprocess.Popen:
        """Begins a program, which is ended with the others; what it says is in NAME.log."""
        program = self.find(words[0])
        with open(self.folder / f"{pathlib.Path(program).name}.log", "ab") as log:
            process = subprocess.Popen(
                [program, *map(str, words[1:])], stdout=output or log, stderr=log, stdin=subprocess.DEVNULL,
                cwd=self.folder, env=environment, start_new_session=True)
        self.running.append(process)
        return process

    def begin(self, words: typing.Sequence[object], port: int, environment: dict[str, str] | None = None) -> int:
        """Begins a server and waits until it listens."""
        process = self.start(words, environment)
        for _ in range(300):
            if process.poll() is not None:
                raise Missing(f"{words[0]} has ended: {self.last_line(words[0])}")
            if listens(port):
                return port
            time.sleep(0.1)
        raise Missing(f"{words[0]} does not listen: {self.last_line(words[0])}")

    def finish(self, words: typing.Sequence[object], environment: dict[str, str] | None = None) -> None:
        """Runs a program to its end, which is 0."""
        if self.start(words, environment).wait(60) != 0:
            raise Missing(f"{words[0]} has failed: {self.last_line(words[0])}")

    def last_line(self, program: object) -> str:
        lines = self.log(program).strip().splitlines()
        return lines[-1] if lines else "it said nothing"

    def log(self, program: object) -> str:
        try:
            return (self.folder / f"{pathlib.Path(self.find(program)).name}.log").read_text(errors="replace")
        except FileNotFoundError:
            return ""


def make_certificates(folder: pathlib.Path) -> None:
    """An authority, and what a server of this machine and a client show."""

    def openssl(*words: str) -> None:
        subprocess.run(["openssl", *words], cwd=folder, check=True, capture_output=True)

    openssl("req", "-x509", "-newkey", "rsa:2048", "-nodes", "-keyout", "ca.key", "-out", "ca.pem", "-days", "2",
            "-subj", "/CN=Authority of a test")
    (folder / "names").write_text("subjectAltName=IP:127.0.0.1,DNS:localhost\n")
    for name in ["server", "client"]:
        openssl("req", "-newkey", "rsa:2048", "-nodes", "-keyout", f"{name}.key", "-out", f"{name}.csr",
                "-subj", f"/CN={name}")
        openssl("x509", "-req", "-in", f"{name}.csr", "-CA", "ca.pem", "-CAkey", "ca.key", "-CAcreateserial",
                "-out", f"{name}.pem", "-days", "2", "-extfile", "names")
