"""A data request of 16 MiB at 2 MiB/s, paused by key for 5 s: it goes on and ends whole."""

import time

from support.bench import MIB, Bench, expect_same
from support.screen import DONE, PAUSED, RUNNING, Screen


def run(bench: Bench) -> None:
    source = bench.make_file(bench.server.files / "request.bin", 16 * MIB)
    result = bench.folder / "body.bin"
    result.unlink(missing_ok=True)
    command = [bench.netdash, "request", "-o", str(result), bench.server.url("slow/request.bin")]
    with Screen(command) as screen:
        screen.wait_for(RUNNING)
        time.sleep(1)
        screen.press("p")
        screen.wait_for(PAUSED)
        time.sleep(1)  # Time enough to write out what was delivered before the pause.
        before = result.stat().st_size if result.exists() else 0
        time.sleep(4)
        after = result.stat().st_size if result.exists() else 0
        screen.press("r")
        screen.wait_for(DONE, seconds=60)
        screen.press("q")
    expect_same(result, source)
    bench.note("sha256 right")
    bench.gate("bytes delivered while paused", after - before, 0)
    bench.end()
