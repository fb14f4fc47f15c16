"""A million lines on standard input and in a file, 16 under way, each answered at once with 404: memory that stays flat.

Every answer is a transfer that has failed, the most that a run has to remember of one.
"""

import subprocess
import threading
import time

from support.bench import Bench, print_rows
from support.queue import Watched, write_list


def run(bench: Bench) -> None:
    count = 50_000 if bench.is_quick else 1_000_000
    folder = bench.folder / "streamed"
    bench.fresh_folder(folder)
    command = [
        bench.netdash, "--quiet", "--ephemeral", "--retries", "0", "-j16", "--max-per-host", "16", "-d", str(folder / "out"), "-i"]

    def urls():
        return (bench.server.url(f"none/dataset-part-{number:07}.parquet") for number in range(count))

    rows = [["", "s", "MiB at a tenth", "at a half", "at the end", "peak MiB"]]
    peaks = {}
    for name in ("streamed", "file"):
        if name == "file":
            program = Watched([*command, str(write_list(folder / "list.txt", urls()))])
        else:
            program = Watched([*command, "-"], stdin=subprocess.PIPE, bufsize=1 << 16)
            threading.Thread(target=feed, args=(program.process.stdin, urls()), daemon=True).start()
        with program:
            seen = watch(program, limit=count / 2_000 + 60)
            assert program.process.returncode == 1, f"it ended with {program.process.returncode}"
        moments = [seen[int((len(seen) - 1) * share)][1] for share in (0.1, 0.5, 1)]
        peaks[name] = max(memory for _, memory in seen)
        rows.append([name, f"{seen[-1][0]:.0f}", *(f"{memory:.1f}" for memory in moments), f"{peaks[name]:.1f}"])
    print_rows(rows, bench.markdown)
    bench.gate(f"memory of {count:,} streamed lines", peaks["streamed"], 150, " MiB")
    bench.gate(f"memory of {count:,} lines of a file", peaks["file"], 250, " MiB")
    bench.end()


def feed(pipe, urls) -> None:
    try:
        for url in urls:
            pipe.write(f"{url}\n".encode())
        pipe.close()
    except BrokenPipeError:
        pass


def watch(program: Watched, limit: float) -> list[tuple[float, float]]:
    """Seconds and memory from the start to the end."""
    seen = []
    while program.process.poll() is None:
        seconds = time.monotonic() - program.began
        assert seconds < limit, f"still running after {limit} s"
        try:
            seen.append((seconds, program.memory))
        except (KeyError, FileNotFoundError, ProcessLookupError):
            break
        time.sleep(0.1)
    program.process.wait(10)
    return seen
