"""100,000 downloads that wait, five under way at a server that never answers: the memory that they take, and the time.

A million lines show what one line costs more. The time is that from the start to the moment from which the program has nothing to do.
"""

import statistics

from support.bench import Bench, print_rows
from support.queue import SilentServer, Watched, write_list


def run(bench: Bench) -> None:
    count = 20_000 if bench.is_quick else 100_000
    folder = bench.folder / "waiting"
    bench.fresh_folder(folder)
    with SilentServer() as server:
        lists = {
            number: str(write_list(folder / f"{number}.txt", map(server.url, range(number))))
            for number in (1, count, 10 * count)}
        length = len(server.url(0)) + 1

        def netdash(number: int) -> list[str]:
            return [bench.netdash, "--quiet", "--ephemeral", "-j5", "-i", lists[number], "-d", str(folder)]

        def saved(number: int) -> list[str]:
            return [bench.netdash, "--quiet", "--session", f"s{number}-{next(numbers)}", "-j5", "-i", lists[number], "-d", str(folder)]

        numbers = iter(range(1_000_000))
        contenders = {
            "netdash, 1": lambda: netdash(1), f"netdash, {count:,}": lambda: netdash(count),
            f"netdash, {10 * count:,}": lambda: netdash(10 * count), f"netdash, {count:,}, saved": lambda: saved(count),
            f"aria2c, {count:,}": lambda: ["aria2c", "-q", "--no-conf", "-j5", "-i", lists[count], "-d", str(folder)]}
        peaks: dict[str, list[float]] = {name: [] for name in contenders}
        times: dict[str, list[float]] = {name: [] for name in contenders}
        rests: dict[str, list[float]] = {name: [] for name in contenders}
        for _ in range(bench.rounds):
            for name, command in contenders.items():
                with Watched(command()) as program:
                    times[name].append(program.wait_until_idle())
                    peaks[name].append(program.peak)
                    rests[name].append(program.memory)
    rest = {name: statistics.median(values) for name, values in rests.items()}
    peak = {name: statistics.median(values) for name, values in peaks.items()}
    time = {name: statistics.median(values) for name, values in times.items()}
    print_rows([["", "peak MiB", "MiB at rest", "busy until s"]] + [
        [name, f"{peak[name]:.1f}", f"{rest[name]:.1f}", f"{time[name]:.2f}"]
        for name in contenders], bench.markdown)
    one, many, most, kept, aria2 = contenders
    bench.gate(f"memory of {count:,} against aria2c", peak[many] / peak[aria2], 0.1 if not bench.is_quick else 0.3)
    bench.gate(f"memory of {count:,} that are saved against aria2c", peak[kept] / peak[aria2], 0.1 if not bench.is_quick else 0.4)
    bench.gate(f"bytes for each line of {10 * count:,}", (peak[most] - peak[one]) * (1 << 20) / (10 * count), 300)
    bench.gate(f"bytes for each of {count:,} that are saved", (rest[kept] - rest[one]) * (1 << 20) / count, 300)
    bench.note(f"of which {length} are the line itself")
    bench.gate(f"time to add {count:,}", max(time[many], time[kept]), 2, " s")
    bench.end()
