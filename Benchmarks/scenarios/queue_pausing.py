"""10,000 downloads that wait, paused and resumed by the dashboard's keys: the time until it is done, and the memory.

A hundred thousand show what each takes in the dashboard, beside a dashboard with one, and what all take once they were paused and resumed.
"""

import statistics
import time

from support.bench import Bench
from support.queue import SilentServer, write_list
from ui.process import resident_mebibytes, usage
from ui.terminal import Terminal


def run(bench: Bench) -> None:
    few, many = (1_000, 10_000) if bench.is_quick else (10_000, 100_000)
    folder = bench.folder / "pausing"
    bench.fresh_folder(folder)
    with SilentServer() as server:
        for count in (few, many):
            path = str(write_list(folder / f"{count}.txt", map(server.url, range(count))))
            for name, words in (("", ["--ephemeral"]), (" saved", [])):
                command = [bench.netdash, *words, "-j5", "-i", path, "-d", str(folder)]
                with Terminal(command, home=str(folder / f"home-{count}{name.strip()}")) as terminal:
                    before = settled(terminal)
                    paused: list[float] = []
                    resumed: list[float] = []
                    for _ in range(3):
                        paused.append(keys(terminal, b"P", f"paused {count}".encode()))
                        resumed.append(keys(terminal, b"R", f"queued {count - 5}".encode()))
                    rest(terminal)
                    after = resident_mebibytes(terminal.pid)
                if count == many:
                    with one(bench, words, server, folder, name) as terminal:
                        alone = settled(terminal)
                    bench.gate(f"bytes for each of {count:,}{name} in the dashboard", (before - alone) * (1 << 20) / count, 300)
                if count == few:
                    bench.gate(f"{count:,}{name} paused", statistics.median(paused), 1, " s")
                    bench.gate(f"{count:,}{name} resumed", statistics.median(resumed), 1, " s")
                else:
                    bench.note(f"{count:,}{name} paused in {statistics.median(paused):.2f} s, resumed in {statistics.median(resumed):.2f} s")
                    bench.note(f"{count:,}{name}: {before:.1f} MiB before, {after:.1f} MiB after three times")
    bench.end()


def one(bench: Bench, words: list[str], server: SilentServer, folder, name: str) -> Terminal:
    """A dashboard with a single download."""
    path = str(write_list(folder / "1.txt", map(server.url, range(1))))
    return Terminal([bench.netdash, *words, "-j5", "-i", path, "-d", str(folder)], home=str(folder / f"home-1{name.strip()}"))


def settled(terminal: Terminal) -> float:
    """MiB once all rows are there, and what adding them took was given back some seconds later."""
    terminal.wait_for(b"netdash")
    rest(terminal)
    terminal.read(12)
    return resident_mebibytes(terminal.pid)


def keys(terminal: Terminal, key: bytes, words: bytes) -> float:
    """Types a key, and returns the seconds until nothing is left to do; the screen has to show words then."""
    began = at = time.monotonic()
    terminal.type(key)
    used = usage(terminal.pid).cpu
    while time.monotonic() - at < 0.5:
        terminal.read(0.02)
        now = usage(terminal.pid).cpu
        if now - used > 0.002:
            used, at = now, time.monotonic()
    rest(terminal)
    known = len(terminal.received)
    terminal.type(b"\x0c")
    terminal.read(0.5)
    assert words in b"".join(data for _, data in terminal.received[known:]), f"the screen does not show {words!r}"
    return at - began


def rest(terminal: Terminal) -> None:
    """Until a second has passed with hardly any work."""
    before = usage(terminal.pid).cpu
    for _ in range(120):
        terminal.read(1)
        now = usage(terminal.pid).cpu
        if now - before < 0.05:
            return
        before = now
