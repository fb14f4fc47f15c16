"""The same figures of other programs, taken in the same run: what does this kind of program cost elsewhere?"""

import contextlib
import math
import pathlib
import shutil
import socket
import statistics
import subprocess
import time

from ui.gates import number, percentile, print_table
from ui.measures import LENGTH, Measures
from ui.paint import first_paint
from ui.process import resident_mebibytes, usage
from ui.terminal import Terminal

TITLES = ["120x36", "first paint", "key, median", "key, 95 %", "memory", "CPU in 20 s", "wake-ups/s", "bytes/s"]


def compare(measures: Measures, markdown: bool) -> None:
    """Prints a table; a program that is not installed is left out."""
    rows = []
    netdash = [*measures.netdash, "-d", str(measures.folder / "files")]
    urls = [measures.server.url(200_000, LENGTH, f"archive-{number:03}.tar.zst") for number in range(20)]
    rows.append(row(measures, "netdash, nothing to do", netdash))
    rows.append(row(measures, "netdash, 20 downloads", [*netdash, "-j", "20", "--max-per-host", "20", *urls]))
    for name in ("htop", "btop"):
        if shutil.which(name):
            arguments = ["--utf-force"] if name == "btop" else []
            rows.append(row(measures, name, [name, *arguments], type="xterm-256color" if name == "btop" else "tmux-256color"))
    aria2p = next((path for path in (shutil.which("aria2p"), ".build/aria2p/bin/aria2p") if path and pathlib.Path(path).exists()), None)
    if aria2p and shutil.which("aria2c"):
        with aria2(measures, urls) as port:
            rows.append(row(measures, "aria2p top, 20 downloads", [aria2p, "--port", str(port), "top"]))
    print_table(TITLES, rows, markdown)


def row(measures: Measures, name: str, command: list[str], type: str = "tmux-256color") -> list[str]:
    rounds = 5 if measures.seconds >= 20 else 3
    paints = [first_paint(command, measures.home, type=type) for _ in range(rounds)]
    with Terminal(command, home=measures.home) as terminal:
        terminal.read(8)
        before, written = usage(terminal.pid), terminal.bytes
        terminal.read(measures.seconds)
        spent, written = usage(terminal.pid) - before, terminal.bytes - written
        memory = resident_mebibytes(terminal.pid)
        try:
            # `?` and Esc where a cursor has nowhere to go.
            keys = [b"?", b"\x1b"] if "nothing" in name else [b"\x1b[B", b"\x1b[A"]
            times = [time * 1e3 for time in measures.press(terminal, keys, quiet=0.03)]
            times = times[::2] if "nothing" in name else times
        except AssertionError:
            times = [math.nan]
    share = 20 / measures.seconds
    return [
        name, number(statistics.median(paints) * 1e3, "ms", 0), number(statistics.median(times), "ms", 2),
        number(percentile(times, 0.95), "ms", 2), number(memory, "MiB", 1), number(spent.cpu * share * 1e3, "ms"),
        number(spent.wakeups / measures.seconds, "", 1), number(written / measures.seconds, "", 0),
    ]


@contextlib.contextmanager
def aria2(measures: Measures, urls: list[str]):
    """aria2 with downloads, steered over its own protocol; what is measured is the dashboard on top of it."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    folder = measures.folder / "aria2"
    command = ["aria2c", "--no-conf", "--enable-rpc", f"--rpc-listen-port={port}", "--quiet", "-j20", "-s1", "-x16", "-Z",
               "--file-allocation=none", f"--dir={folder}", *urls]
    process = subprocess.Popen(command, stdin=subprocess.DEVNULL)
    try:
        for _ in range(100):
            with contextlib.suppress(ConnectionRefusedError):
                socket.create_connection(("127.0.0.1", port), timeout=1).close()
                break
            time.sleep(0.05)
        yield port
    finally:
        process.kill()
        process.wait()
