"""One upload (PUT) of 1 GiB over loopback."""

import pathlib

from support.bench import Bench, Contender, expect_same


def run(bench: Bench) -> None:
    source = bench.make_file(bench.server.files / "large.bin", bench.size(1024))
    url = bench.server.url("put/large.bin")
    received = bench.server.received / "large.bin"

    def contender(name: str, *command: str) -> Contender:
        return Contender(
            name, list(command), prepare=lambda: remove(received), verify=lambda: expect_same(received, source))

    netdash = contender("netdash upload", bench.netdash, "upload", "--plain", str(source), url)
    curl = contender("curl -T", "curl", "-s", "-T", str(source), url)
    bench.measure([netdash, curl], memory=2048)
    bench.compare("cpu", netdash, curl, 1.1)
    bench.compare("wall", netdash, curl, 1.1)
    bench.gate("peak memory", netdash.median("memory"), 64, " MiB")
    bench.end()


def remove(path: pathlib.Path) -> None:
    path.unlink(missing_ok=True)
