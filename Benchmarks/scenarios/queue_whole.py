"""100,000 files of 10 KiB, 64 at a time and saved, the same list's session opened again, and small files behind large ones.

The large ones are eight of 32 MiB at 2 MiB/s, of one list with 5,000 small ones behind them, sixteen at a time.
"""

import os
import pathlib
import subprocess
import tempfile
import time

from support.bench import Bench, print_rows
from support.queue import Watched, write_list

LINKS = 50_000


def run(bench: Bench) -> None:
    with tempfile.TemporaryDirectory(dir="/dev/shm") as folder:
        whole(bench, pathlib.Path(folder))
        behind_large(bench, pathlib.Path(folder))
    bench.end()


def make_links(bench: Bench, count: int) -> list[str]:
    """Names of files of 10 KiB, each of which has as many names as a file system allows."""
    folder = bench.server.files / "many"
    for number in range(count):
        name = folder / f"{number:07}"
        if number % LINKS == 0:
            source = bench.make_file(name, 10 << 10)
        elif not name.exists():
            os.link(source, name)
    return [f"many/{number:07}" for number in range(count)]


def whole(bench: Bench, folder: pathlib.Path) -> None:
    count = 5_000 if bench.is_quick else 100_000
    urls = [bench.server.url(name) for name in make_links(bench, count)]
    source = write_list(bench.folder / "whole.txt", iter(urls))
    saved = ["--session", f"whole-{os.getpid()}", "--quiet"]
    words = [*saved, "-j64", "--max-per-host", "64", "-i", str(source), "-d", str(folder / "whole")]
    rows = [["", "s", "peak MiB"]]
    for name, command in (("the whole list", words), ("its session again", saved)):
        seconds, peak = measured([bench.netdash, *command])
        rows.append([name, f"{seconds:.2f}", f"{peak:.0f}"])
        if name == "the whole list":
            assert len(list((folder / "whole").iterdir())) == count, "files are missing, or there are too many"
            bench.gate(f"time of {count:,} files", seconds, 60, " s")
            bench.gate(f"memory of {count:,} files", peak, 200, " MiB")
        else:
            bench.gate(f"start with {count:,} completed rows", seconds, 2, " s")
    print_rows(rows, bench.markdown)


def measured(command: list[str]) -> tuple[float, float]:
    """Seconds and MiB of a command that ends."""
    with Watched(command) as program:
        peak = 0.0
        while program.process.poll() is None:
            try:
                peak = max(peak, program.peak)
            except (KeyError, FileNotFoundError, ProcessLookupError):
                pass
            time.sleep(0.02)
        seconds = time.monotonic() - program.began
        assert program.process.returncode == 0, f"it ended with {program.process.returncode}"
    return seconds, peak


def behind_large(bench: Bench, folder: pathlib.Path) -> None:
    count = 500 if bench.is_quick else 5_000
    large = bench.make_file(bench.server.files / "large.bin", bench.size(32))
    small = [bench.server.url(name) for name in make_links(bench, count)]
    slow = [f"{bench.server.url('slow/' + large.name)}?{number}" for number in range(8)]
    waits = {}
    for name, urls in (("alone", small), ("behind large ones", slow + small)):
        source = write_list(bench.folder / "mixed.txt", iter(urls))
        waits[name] = last_small(
            [bench.netdash, "--plain", "--ephemeral", "-j16", "-i", str(source), "-d", str(folder / name)], count)
    print_rows(
        [["5,000 small files" if count == 5_000 else "small files", "99 of 100 done after s"]]
        + [[name, f"{seconds:.2f}"] for name, seconds in waits.items()], bench.markdown)
    bench.gate("wait of small files behind eight large ones", waits["behind large ones"] / waits["alone"], 5)


def last_small(command: list[str], count: int) -> float:
    """Seconds until 99 of 100 small files are there."""
    began = time.monotonic()
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True) as process:
        ended = 0
        for line in process.stdout:
            if " completed, 10.0 KiB" in line and "#" in line:
                ended += 1
                if ended >= count * 0.99:
                    seconds = time.monotonic() - began
                    process.kill()
                    return seconds
    raise AssertionError(f"only {ended} of {count} small files were completed")
