"""An upload (PUT) of 4 MiB over a line of 256 KiB/s, with a stall limit of 3 s.

The kernel takes the whole body at once and needs a quarter of a minute to send it. That is slow and not stalled: it must
arrive in one request.
"""

import subprocess

from support.bench import MIB, Bench, expect_same
from support.relay import Relay


def run(bench: Bench) -> None:
    size = 4 * MIB
    source = bench.make_file(bench.server.files / "uplink.bin", size)
    received = bench.server.received / "uplink.bin"
    received.unlink(missing_ok=True)
    with Relay(bench.server.port, bytes_per_second=256 << 10) as relay:
        url = f"http://127.0.0.1:{relay.port}/put/uplink.bin"
        subprocess.run([bench.netdash, "upload", "--plain", "--stall-timeout", "3", "--retries", "0", str(source), url],
                       check=True, stdout=subprocess.DEVNULL, timeout=90)
    expect_same(received, source)
    requests = [entry for entry in bench.server.sent("put") if entry[0].endswith("/uplink.bin")]
    bench.gate("requests", len(requests), 1)
    bench.end()
