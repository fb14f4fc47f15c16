"""The gates of the dashboard, each measured on the real program."""

import os
import pathlib
import shutil
import signal
import statistics
import subprocess

from ui.gates import Report, percentile
from ui.paint import first_paint
from ui.process import resident_mebibytes, usage
from ui.server import PacedServer
from ui.terminal import Terminal

LENGTH = 24 << 20
"""Two minutes at the rate of moving rows, so that gauges move."""


class Measures:
    """Every `measure_…` runs the program anew and writes to the report."""

    def __init__(self, netdash: str, folder: pathlib.Path, server: PacedServer, report: Report, seconds: int):
        self.folder = folder
        self.server = server
        self.report = report
        self.seconds = seconds
        self.presses = 60 if seconds >= 20 else 15
        help_text = subprocess.run([netdash, "--help"], capture_output=True, text=True, check=True).stdout
        self.netdash = [netdash] + (["--ephemeral"] if "--ephemeral" in help_text else [])
        self.home = str(folder / "home")

    # Programs to measure

    def dashboard(self, *arguments: str, width: int = 120, height: int = 36) -> Terminal:
        return Terminal([*self.netdash, "-d", str(self.folder / "files"), *arguments], width, height, home=self.home)

    def moving(self, count: int, *arguments: str, width: int = 120, height: int = 36) -> Terminal:
        """So many downloads at 200 kB/s, under way for four seconds."""
        urls = [self.server.url(200_000, LENGTH, f"archive-{number:03}.tar.zst") for number in range(count)]
        terminal = self.dashboard("-j", str(count), "--max-per-host", str(count), *arguments, *urls, width=width, height=height)
        terminal.read(4)
        return terminal

    def list_of(self, count: int) -> str:
        """A list of downloads from a server that is slow to answer."""
        path = self.folder / f"list-{count}.txt"
        if not path.exists():
            path.write_text("".join(
                f"{self.server.url(20_000, LENGTH, f'set-{number % 97:02}/dataset-part-{number:06}.parquet')}\n"
                for number in range(count)))
        return str(path)

    def full(self, active: int) -> Terminal:
        """100,000 rows, so many of them under way."""
        terminal = self.dashboard("-i", self.list_of(100_000), "-j", str(active), "--max-per-host", str(active))
        terminal.wait_for(b"netdash")
        # Until all of them are there the processor is busy with them.
        before = usage(terminal.pid).cpu
        for _ in range(60):
            terminal.read(1)
            now = usage(terminal.pid).cpu
            if now - before < 0.3:
                break
            before = now
        # What reading a long list took is given back after a few seconds, on a busy machine later.
        memory, steady = resident_mebibytes(terminal.pid), 0
        for _ in range(40):
            terminal.read(1)
            now = resident_mebibytes(terminal.pid)
            steady = steady + 1 if abs(now - memory) < 1 else 0
            memory = now
            if steady >= 5:
                break
        return terminal

    # Gates

    def measure_idle(self) -> None:
        for name, arguments in (("empty", []), ("20 ended rows", ["--if-exists", "overwrite", *self.ended_rows()])):
            with self.dashboard(*arguments) as terminal:
                terminal.read(2)
                # Notices go away by themselves after a while, so quiet means longer than they last.
                terminal.wait_until_quiet(6)
                self._rest(name, terminal)
        home = self.folder / "home-paused"
        home.mkdir()
        command = [self.netdash[0], "-d", str(self.folder / "files"), "-i", self.list_of(1000)]
        with Terminal(command, 120, 36, home=str(home)) as terminal:
            terminal.read(3)
            terminal.type(b"P")
            # Connections of paused downloads are held for ten seconds.
            terminal.read(11)
            terminal.wait_until_quiet(6)
            before = self._times_of_files(home)
            self._rest("1000 paused rows", terminal)
            changed = sum(time != before.get(path) for path, time in self._times_of_files(home).items())
        self.report.gate(f"idle, 1000 paused rows: files of the saved session that were written in {self.seconds} s", changed, 0, "")

    def _rest(self, name: str, terminal: Terminal) -> None:
        """Watches a program that has nothing to do."""
        before, written = usage(terminal.pid), terminal.bytes
        terminal.read(self.seconds)
        spent = usage(terminal.pid) - before
        span = f"in {self.seconds} s"
        self.report.gate(f"idle, {name}: bytes {span}", terminal.bytes - written, 0, "")
        self.report.gate(f"idle, {name}: wake-ups of the thread that draws {span}", spent.first_thread_wakeups, 1, "")
        self.report.gate(f"idle, {name}: wake-ups of all threads {span}", spent.wakeups, 1, "")
        self.report.gate(f"idle, {name}: CPU ticks {span}", spent.ticks, 0, "")

    @staticmethod
    def _times_of_files(home: pathlib.Path) -> dict[pathlib.Path, int]:
        return {path: path.stat().st_mtime_ns for path in home.rglob("*") if path.is_file()}

    def measure_moving(self) -> None:
        with self.moving(20) as terminal:
            spent, rate = self._watch(terminal)
        share = 20 / self.seconds
        self.report.gate("20 moving rows, 120x36, 4 fps: CPU of the thread that draws in 20 s", spent.first_thread_cpu * share * 1e3, 60, "ms")
        self.report.gate("20 moving rows, 120x36, 4 fps: bytes", rate, 2048, "B/s")
        self.report.note("20 moving rows, 120x36, 4 fps: CPU of all threads in 20 s", spent.cpu * share * 1e3, "ms")
        with self.moving(30, "--fps", "10", width=140, height=40) as terminal:
            spent, rate = self._watch(terminal)
        self.report.gate("30 moving rows, 140x40, 10 fps: CPU of the thread that draws", spent.first_thread_cpu / self.seconds * 100, 1, "%", 2)
        self.report.gate("30 moving rows, 140x40, 10 fps: bytes", rate, 5120, "B/s")

    def measure_keys(self) -> None:
        with self.dashboard("--if-exists", "overwrite", *self.ended_rows()) as terminal:
            terminal.read(2)
            terminal.wait_until_quiet(6)
            times = self.press(terminal, [b"\x1b[B", b"\x1b[A"])
            self.report.gate("key to first byte, idle: median", statistics.median(times) * 1e3, 1, "ms", 2)
            self.report.gate("key to first byte, idle: 95th percentile", percentile(times, 0.95) * 1e3, 5, "ms", 2)
            times = []
            for _ in range(max(self.presses // 3, 5)):
                terminal.answer_time(b"?")
                terminal.read(0.06)
                times.append(terminal.answer_time(b"\x1b")[0])
                terminal.read(0.06)
            self.report.gate("Esc to first byte: median", statistics.median(times) * 1e3, 30, "ms", 1)
            terminal.wait_until_quiet(0.2)
            before = terminal.bytes
            terminal.type(b"\x0c")
            terminal.read(0.3)
            self.report.gate("repaint of the whole screen, 120x36: bytes", terminal.bytes - before, 8192, "")

    def measure_first_paint(self) -> None:
        rounds = 15 if self.seconds >= 20 else 7
        saved = self._home_with_saved_tasks(10_000)
        starts = (
            ("empty", self.netdash, self.home),
            ("a list of 10 000 URLs", [*self.netdash, "-i", self.list_of(10_000)], self.home),
            ("10 000 saved tasks", [self.netdash[0], "-j", "1"], saved))
        for name, program, home in starts:
            command = [*program, "-d", str(self.folder / "files")]
            times = [first_paint(command, self._copy(home)) for _ in range(rounds)]
            self.report.gate(f"first paint, {name}: median of {rounds}", statistics.median(times) * 1e3, 40, "ms", 1)
            self.report.note(f"first paint, {name}: best", min(times) * 1e3, "ms", 1)

    def measure_memory_and_size(self) -> None:
        with self.dashboard() as terminal:
            terminal.read(3)
            empty = resident_mebibytes(terminal.pid)
        self.report.gate("memory, empty", empty, 32, "MiB", 1)
        with self.full(active=100) as terminal:
            memory = resident_mebibytes(terminal.pid)
            self.report.gate("memory, more with 100 000 rows", memory - empty, 60 * 1e6 / (1 << 20), "MiB", 1)
            times = self.press(terminal, [b"\x1b[B", b"\x1b[A"], quiet=0.03)
            self.report.gate("key to first byte, 100 000 rows, 100 active: 95th percentile", percentile(times, 0.95) * 1e3, 16, "ms", 2)
            self.report.note("key to first byte, 100 000 rows, 100 active: median", statistics.median(times) * 1e3, "ms", 2)
            times = self.press(terminal, [b"\x1b[6~", b"\x1b[F", b"\x1b[5~", b"\x1b[H"], quiet=0.03)
            self.report.gate("scrolling to pages and ends, 100 000 rows: 95th percentile", percentile(times, 0.95) * 1e3, 50, "ms", 2)
            self.report.gate("filter keystroke, 100 000 rows: worst", max(self._filter_times(terminal)) * 1e3, 50, "ms", 1)
            times = []
            for _ in range(8):
                terminal.read(0.3)
                times.append(terminal.answer_time(b">")[0])
            self.report.gate("sort, 100 000 rows: worst column", max(times) * 1e3, 50, "ms", 1)

    # Parts

    def _home_with_saved_tasks(self, count: int) -> str:
        """A home whose saved session has so many downloads, all but one of which wait."""
        home = self.folder / "home-saved"
        home.mkdir()
        command = [self.netdash[0], "-j", "1", "-d", str(self.folder / "files"), "-i", self.list_of(count)]
        with Terminal(command, home=str(home)) as terminal:
            terminal.read(8)
            os.kill(terminal.pid, signal.SIGTERM)
            terminal.wait_until_gone()
        return str(home)

    def _copy(self, home: str) -> str:
        """The same home as a program that was left in order finds it."""
        copy = self.folder / "home-copy"
        shutil.rmtree(copy, ignore_errors=True)
        shutil.copytree(home, copy)
        return str(copy)

    def press(self, terminal: Terminal, keys: list[bytes], quiet: float = 0.06) -> list[float]:
        # The row under the cursor keeps its line until the cursor moves, and then takes its own.
        for key in (b"\x1b[F", b"\x1b[H"):
            terminal.type(key)
            terminal.read(0.3)
        times = []
        for number in range(self.presses):
            for _ in range(20):
                if terminal.read(quiet) == 0:
                    break
            times.append(terminal.answer_time(keys[number % len(keys)])[0])
        return times

    def _filter_times(self, terminal: Terminal) -> list[float]:
        times = []
        for text in ("part-0001", "set-42", "parquet"):
            terminal.type(b"/")
            terminal.read(0.3)
            for character in text:
                times.append(terminal.answer_time(character.encode())[0])
                terminal.read(0.15)
            terminal.type(b"\x1b")
            terminal.read(0.3)
        return times

    def _watch(self, terminal: Terminal):
        before, written = usage(terminal.pid), terminal.bytes
        terminal.read(self.seconds)
        return usage(terminal.pid) - before, (terminal.bytes - written) / self.seconds

    def ended_rows(self) -> list[str]:
        """Downloads that end at once."""
        urls = [self.server.url(1 << 30, 4096, f"small-{number:02}.bin") for number in range(20)]
        return urls
