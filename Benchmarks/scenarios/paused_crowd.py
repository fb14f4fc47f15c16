"""One download of 1 GiB beside 1,000 that were paused while they ran: the processor time that they cost it.

Commands by line start and pause the thousand; the time counts from the moment at which nothing is done any more.
"""

import statistics
import time

from support.bench import Bench, print_rows
from support.queue import write_list
from ui.process import usage
from ui.terminal import Terminal

COUNT = 1_000


def run(bench: Bench) -> None:
    count = 100 if bench.is_quick else COUNT
    folder = bench.folder / "crowd"
    large = bench.make_file(bench.server.files / "crowd.bin", bench.size(1024))
    bench.make_file(bench.server.files / "crowd-slow.bin", 8 << 20)
    bench.fresh_folder(folder)
    names = write_list(
        folder / "list.txt", (f"{bench.server.url('trickle/crowd-slow.bin')}?{number}\n  out={number}.bin" for number in range(count)))
    spent: dict[int, list[float]] = {0: [], count: []}
    for _ in range(bench.rounds):
        for paused in spent:
            bench.fresh_folder(folder / "out")
            command = [
                bench.netdash, "--ephemeral", "-j", "1000", "--max-per-host", "1000", "-x", "1", "-d",
                str(folder / "out"), *(["-i", str(names)] if paused else [])]
            with Terminal(["/usr/bin/env", "ACCESSIBLE=1", *command], home=str(folder / "home")) as terminal:
                if paused:
                    wait_for(terminal, lambda: len(list((folder / "out").glob(".*.part"))) >= count)
                    terminal.type(b"pause all\n")
                # A held connection is given up after ten seconds; what a pause costs then is what it costs for good.
                rest(terminal)
                before = usage(terminal.pid).cpu
                terminal.type(f"add {bench.server.url('crowd.bin')}\n".encode())
                target = folder / "out" / "crowd.bin"
                wait_for(terminal, target.exists)
                assert target.stat().st_size == large.stat().st_size, "the file has the wrong length"
                spent[paused].append(usage(terminal.pid).cpu - before)
    medians = {paused: statistics.median(values) for paused, values in spent.items()}
    print_rows([["paused beside it", "CPU s"]] + [[str(paused), f"{median:.2f}"] for paused, median in medians.items()], bench.markdown)
    bench.gate(f"CPU with {count:,} paused against alone", medians[count] / max(medians[0], 0.01), 2.0)
    bench.end()


def rest(terminal: Terminal) -> None:
    """Until twelve seconds have passed with hardly any work."""
    quiet = 0
    for _ in range(60):
        before = usage(terminal.pid).cpu
        terminal.read(1)
        quiet = quiet + 1 if usage(terminal.pid).cpu - before < 0.05 else 0
        if quiet >= 12:
            return
    raise AssertionError("it never came to rest")


def wait_for(terminal: Terminal, condition) -> None:
    deadline = time.monotonic() + 120
    while not condition():
        assert time.monotonic() < deadline, "nothing for two minutes"
        terminal.read(0.02)
