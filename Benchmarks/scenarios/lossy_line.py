"""64 MiB over a line with 50 ms of latency and 1 % loss, over eight connections, side by side with aria2c."""

from support.bench import Bench, Contender, expect_same
from support.lossy_line import SERVER, LossyLine, Unavailable
from support.nginx import Nginx

CONNECTIONS = 8


def run(bench: Bench) -> None:
    try:
        with LossyLine(round_trip=0.05, loss=0.01) as line, Nginx(bench.folder / "far", SERVER, line.server) as server:
            measure(bench, line, server)
    except Unavailable as reason:
        bench.note(f"not measured: {reason}")
    bench.end()


def measure(bench: Bench, line: LossyLine, server: Nginx) -> None:
    source = bench.make_file(server.files / "far.bin", bench.size(64))
    url = server.url("far.bin")
    folder = bench.folder / "far-download"
    result = folder / source.name

    def contender(name: str, *command: str) -> Contender:
        return Contender(
            name, [*line.client, *command], prepare=lambda: bench.fresh_folder(folder),
            verify=lambda: expect_same(result, source))

    netdash = contender(
        f"netdash -x {CONNECTIONS}", bench.netdash, "--plain", "--ephemeral", "-x", str(CONNECTIONS), "-d", str(folder), url)
    aria2 = contender(
        f"aria2c -x{CONNECTIONS}", "aria2c", "-q", "--no-conf", "--file-allocation=none", f"-x{CONNECTIONS}",
        f"-s{CONNECTIONS}", "-k1M", "-d", str(folder), "-o", result.name, url)
    bench.measure([netdash, aria2], memory=512)
    bench.compare("wall", netdash, aria2, 0.95)
