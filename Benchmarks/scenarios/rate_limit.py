"""500 transfers at once under a limit of 10 MB/s for all of them: what moved over their whole run of more than 10 s.

The server sends as fast as it is asked, so whatever is missing or too much is the limit's. Nothing may be fetched twice.
"""

import filecmp
import subprocess
import time

from support.bench import Bench

COUNT = 500
LIMIT = 10_000_000


def run(bench: Bench) -> None:
    size = (60 if bench.is_quick else 240) << 10
    names = [f"{number:03}.bin" for number in range(COUNT)]
    for name in names:
        bench.make_file(bench.server.files / "limited" / name, size)
    input_list = bench.folder / "limited-urls.txt"
    input_list.write_text("".join(f"{bench.server.url(f'limited/{name}')}\n" for name in names))
    folder = bench.folder / "limited"
    off = []
    for _ in range(1 if bench.is_quick else 3):
        bench.fresh_folder(folder)
        began = time.monotonic()
        subprocess.run(
            [bench.netdash, "--quiet", "--ephemeral", "--limit-rate", str(LIMIT), "-j", str(COUNT), "--max-per-host",
             str(COUNT), "-i", str(input_list), "-d", str(folder)], check=True)
        took = time.monotonic() - began
        same, _, _ = filecmp.cmpfiles(bench.server.files / "limited", folder, names, shallow=False)
        assert len(same) == COUNT, f"{COUNT - len(same)} of {COUNT} files are missing or wrong"
        off.append((COUNT * size / took / LIMIT - 1) * 100)
    bench.note("away from the limit: " + ", ".join(f"{each:+.2f} %" for each in off))
    bench.gate("away from the limit, at most", max(map(abs, off)), 3, " %")
    bench.end()
