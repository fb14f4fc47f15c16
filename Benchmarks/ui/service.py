"""The gates of a service and its windows: each beside the same work in one process, in turns, in one run."""

import os
import pathlib
import shutil
import signal
import statistics
import subprocess
import tempfile
import time

from ui.measures import LENGTH, Measures
from ui.process import Usage, usage
from ui.terminal import Terminal

ROUNDS = 3
MOVING = ["-j", "20", "--max-per-host", "20"]


class Service:
    """A `netdash serve` in a home and a runtime folder of its own; ends with the `with` block."""

    def __init__(self, netdash: str, files: pathlib.Path, *arguments: str):
        self._netdash = netdash
        # The path of a socket is at most 107 bytes long.
        self._folder = pathlib.Path(tempfile.mkdtemp(prefix="netdash-bench-"))
        self._files = files
        self._arguments = arguments
        self.home, self.runtime = str(self._folder / "home"), str(self._folder / "runtime")

    def __enter__(self) -> "Service":
        os.mkdir(self.home)
        os.mkdir(self.runtime, 0o700)
        self.environment = {
            "HOME": self.home, "PATH": os.environ["PATH"], "LANG": "C.UTF-8", "XDG_RUNTIME_DIR": self.runtime,
            "XDG_STATE_HOME": self.home + "/state", "XDG_CONFIG_HOME": self.home + "/config",
        }
        command = [self._netdash, "serve", *self._arguments]
        self._process = subprocess.Popen(command, env=self.environment, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
        self.pid = self._process.pid
        end = time.monotonic() + 60
        while not list(pathlib.Path(self.runtime).rglob("*.sock")):
            assert time.monotonic() < end and self._process.poll() is None, "the service does not listen"
            time.sleep(0.01)
        return self

    def __exit__(self, *_) -> None:
        self._process.send_signal(signal.SIGTERM)
        self._process.communicate()
        shutil.rmtree(self._folder, ignore_errors=True)

    def call(self, *arguments: str) -> float:
        """The seconds that a command took."""
        start = time.monotonic()
        subprocess.run([self._netdash, *arguments], env=self.environment, stdout=subprocess.DEVNULL, check=True)
        return time.monotonic() - start

    def add(self, *arguments: str) -> float:
        return self.call("add", "--quiet", "--if-exists", "overwrite", "-d", str(self._files), *arguments)

    def window(self, width: int = 120, height: int = 36) -> Terminal:
        return Terminal([self._netdash], width, height, home=self.home, runtime=self.runtime)


class ServiceMeasures:
    def __init__(self, measures: Measures):
        self._measures = measures
        self._report = measures.report
        self._seconds = measures.seconds
        self._netdash = measures.netdash[0]
        self._files = measures.folder / "files"

    def measure(self) -> None:
        self._measure_keys()
        self._measure_idle()
        self._measure_moving()
        self._measure_windows()
        self._measure_adding()
        self._measure_attaching()

    def _measure_keys(self) -> None:
        own: list[float] = []
        attached: list[float] = []
        small = self._measures.ended_rows()
        for _ in range(ROUNDS):
            with self._measures.dashboard("--if-exists", "overwrite", *small) as terminal:
                own += self._press(terminal)
            with self._service() as service:
                service.add(*small)
                with service.window() as terminal:
                    attached += self._press(terminal)
        ratio = statistics.median(attached) / statistics.median(own)
        self._report.note("key to first byte, idle, in one process: median", statistics.median(own) * 1e3, "ms", 2)
        self._report.note("key to first byte, idle, attached: median", statistics.median(attached) * 1e3, "ms", 2)
        self._report.gate("key to first byte, idle: attached / in one process", ratio, 1.2, "", 2)

    def _press(self, terminal: Terminal) -> list[float]:
        terminal.read(2)
        terminal.wait_until_quiet(6)
        return self._measures.press(terminal, [b"\x1b[B", b"\x1b[A"])

    def _measure_idle(self) -> None:
        with self._service() as service:
            service.add(*self._measures.ended_rows())
            with service.window() as terminal:
                terminal.read(2)
                terminal.wait_until_quiet(6)
                before, written = self._usage(service, terminal), terminal.bytes
                terminal.read(self._seconds)
                spent = self._usage(service, terminal) - before
                span = f"in {self._seconds} s"
                self._report.gate(f"idle, attached: bytes {span}", terminal.bytes - written, 0, "")
                self._report.gate(f"idle, attached: wake-ups of window and service {span}", spent.wakeups, 1, "")

    def _measure_moving(self) -> None:
        own, attached = [], []
        for _ in range(ROUNDS):
            with self._measures.moving(20) as terminal:
                before = usage(terminal.pid)
                terminal.read(self._seconds)
                own.append((usage(terminal.pid) - before).cpu)
            with self._service(*MOVING) as service, service.window() as terminal:
                self._add_moving(service)
                terminal.read(4)
                attached.append(self._spent(service, [terminal]))
        ratio = statistics.median(attached) / statistics.median(own)
        share = 20 / self._seconds * 1e3
        self._report.note("20 moving rows, in one process: CPU in 20 s", statistics.median(own) * share, "ms")
        self._report.note("20 moving rows, window and service: CPU in 20 s", statistics.median(attached) * share, "ms")
        self._report.gate("20 moving rows: CPU of window and service / in one process", ratio, 1.2, "", 2)

    def _measure_windows(self) -> None:
        one, many = [], []
        for _ in range(ROUNDS):
            with self._service(*MOVING) as service:
                self._add_moving(service)
                with service.window() as terminal:
                    terminal.read(4)
                    one.append(self._service_share(service, [terminal]))
                windows = [service.window() for _ in range(20)]
                try:
                    for window in windows:
                        window.read(0.3)
                    many.append(self._service_share(service, windows))
                finally:
                    for window in windows:
                        window.__exit__()
        ratio = statistics.median(many) / statistics.median(one)
        share = 20 / self._seconds * 1e3
        self._report.note("20 moving rows, one window: CPU of the service in 20 s", statistics.median(one) * share, "ms")
        self._report.note("20 moving rows, 20 windows: CPU of the service in 20 s", statistics.median(many) * share, "ms")
        self._report.gate("20 windows on one service: its CPU / that with one window", ratio, 3, "", 2)

    def _measure_adding(self) -> None:
        with self._service() as service:
            url = self._measures.server.url(0, LENGTH, "added.bin")
            times = [service.add(f"{url}?{number}") for number in range(30)]
        self._report.gate("netdash add: median", statistics.median(times) * 1e3, 30, "ms", 1)

    def _measure_attaching(self) -> None:
        with self._service("-j", "1") as service:
            service.add("-i", self._measures.list_of(100_000))
            self._settle(service)
            frames, filters = [], []
            for _ in range(5):
                with service.window() as terminal:
                    terminal.wait_for(b"dataset-part")
                    frames.append(terminal.received[-1][0])
                    terminal.type(b"/part-099999")
                    terminal.wait_for(b"1 of 100")
                    filters.append(terminal.received[-1][0])
        self._report.gate("100 000 rows: window to first frame with rows, median", statistics.median(frames) * 1e3, 300, "ms")
        self._report.gate("100 000 rows: window to the answer of a filter, median", statistics.median(filters) * 1e3, 1000, "ms")

    # Parts

    def _service(self, *arguments: str) -> Service:
        return Service(self._netdash, self._files, *arguments)

    def _add_moving(self, service: Service) -> None:
        urls = [self._measures.server.url(200_000, LENGTH, f"archive-{number:03}.tar.zst") for number in range(20)]
        service.add(*urls)

    @staticmethod
    def _usage(service: Service, *windows: Terminal) -> Usage:
        found = [usage(pid) for pid in [service.pid, *(window.pid for window in windows)]]
        return Usage(
            sum(one.ticks for one in found), sum(one.cpu for one in found), 0.0, sum(one.wakeups for one in found), 0)

    def _spent(self, service: Service, windows: list[Terminal]) -> float:
        before = self._usage(service, *windows)
        self._read(windows)
        return (self._usage(service, *windows) - before).cpu

    def _service_share(self, service: Service, windows: list[Terminal]) -> float:
        before = usage(service.pid)
        self._read(windows)
        return (usage(service.pid) - before).cpu

    def _read(self, windows: list[Terminal]) -> None:
        end = time.monotonic() + self._seconds
        while time.monotonic() < end:
            for window in windows:
                window.read(0.1 / len(windows))

    @staticmethod
    def _settle(service: Service) -> None:
        """Returns when a service has read its list: until then the processor is busy with it."""
        before = usage(service.pid).cpu
        for _ in range(60):
            time.sleep(1)
            now = usage(service.pid).cpu
            if now - before < 0.1:
                return
            before = now
