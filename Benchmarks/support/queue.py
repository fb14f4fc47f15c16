"""What the scenarios of long queues share: a server that never answers, lists, and a process that is watched."""

import os
import pathlib
import socket
import subprocess
import time
from collections.abc import Iterator

from ui.process import status_field


class SilentServer:
    """Takes connections and says nothing: whoever asks it has one task under way and all others waiting."""

    def __enter__(self) -> "SilentServer":
        self._socket = socket.create_server(("127.0.0.1", 0), backlog=512)
        self.port = self._socket.getsockname()[1]
        return self

    def __exit__(self, *_) -> None:
        self._socket.close()

    def url(self, number: int) -> str:
        return f"http://127.0.0.1:{self.port}/set-{number % 97:02}/dataset-part-{number:07}.parquet"


def write_list(path: pathlib.Path, urls: Iterator[str]) -> pathlib.Path:
    with path.open("w") as file:
        file.writelines(f"{url}\n" for url in urls)
    return path


class Watched:
    """A command that runs while it is looked at; killed with the `with` block."""

    def __init__(self, command: list[str], **options):
        self.began = time.monotonic()
        options.setdefault("stdin", subprocess.DEVNULL)
        self.process = subprocess.Popen(
            command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, **options)

    def __enter__(self) -> "Watched":
        return self

    def __exit__(self, *_) -> None:
        self.process.kill()
        self.process.wait()

    @property
    def peak(self) -> float:
        """MiB at most so far."""
        return self._memory("VmHWM")

    @property
    def memory(self) -> float:
        """MiB now."""
        return self._memory("VmRSS")

    def wait_until_idle(self, seconds: float = 2, limit: float = 60) -> float:
        """Returns when no processor time was used for some seconds: the seconds from the start to the last use."""
        return wait_until_idle(self.process.pid, self.began, seconds, limit)

    def _memory(self, field: str) -> float:
        return status_field(pathlib.Path(f"/proc/{self.process.pid}/status"), field) / 1024


def ticks(pid: int) -> int:
    """Processor time of a process in hundredths of a second."""
    fields = pathlib.Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) * 100 // os.sysconf("SC_CLK_TCK")


def wait_until_idle(pid: int, began: float, seconds: float = 2, limit: float = 60) -> float:
    used, at = -1, time.monotonic()
    while time.monotonic() - at < seconds:
        assert time.monotonic() - began < limit, f"still busy after {limit} s"
        time.sleep(0.02)
        now = ticks(pid)
        # A timer now and then is no work.
        if now > used + (0 if used < 0 else 1):
            used, at = now, time.monotonic()
    return at - began
