"""An upload (PUT) of 64 MiB at 8 MiB/s, paused by key for 5 s in the middle.

Once what the sockets already held has passed, nothing may arrive until the upload is resumed, and it must arrive whole.
"""

import time

from support.bench import MIB, Bench, expect_same
from support.relay import Relay
from support.screen import DONE, PAUSED, RUNNING, Screen


def run(bench: Bench) -> None:
    size = 64 * MIB  # Also when tried out: less would fit into what the sockets hold.
    source = bench.make_file(bench.server.files / "upload.bin", size)
    received = bench.server.received / "upload.bin"
    received.unlink(missing_ok=True)
    with Relay(bench.server.port, bytes_per_second=size // 8) as relay:
        url = f"http://127.0.0.1:{relay.port}/put/upload.bin"
        with Screen([bench.netdash, "upload", str(source), url]) as screen:
            screen.wait_for(RUNNING)
            while relay.sent < size * 3 // 8:
                time.sleep(0.05)
            screen.press("p")
            screen.wait_for(PAUSED)
            at_pause = relay.sent
            time.sleep(2)
            after_two = relay.sent
            time.sleep(3)
            after_five = relay.sent
            screen.press("r")
            screen.wait_for(DONE, seconds=60)
            screen.press("q")
        total = relay.sent
    expect_same(received, source)
    requests = [entry for entry in bench.server.sent("put") if entry[0].endswith("/upload.bin")]
    bench.note(f"{len(requests)} request, sha256 right; {at_pause / MIB:.1f} MiB had passed when it was paused, "
               f"{(after_two - at_pause) / MIB:.1f} MiB more were under way")
    bench.gate("bytes in the last 3 s of the pause", after_five - after_two, 0)
    bench.gate("sent in all", total / MIB, size / MIB + 0.01, " MiB")
    bench.end()
