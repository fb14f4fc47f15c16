"""256 MiB from a server that limits each connection, over eight connections, side by side with aria2c."""

from support.bench import Bench, Contender, expect_same

CONNECTIONS = 8


def run(bench: Bench) -> None:
    source = bench.make_file(bench.server.files / "medium.bin", bench.size(256))
    url = bench.server.url("slow/medium.bin")
    folder = bench.folder / "segments"
    result = folder / "medium.bin"

    def contender(name: str, *command: str) -> Contender:
        return Contender(
            name, list(command), prepare=lambda: bench.fresh_folder(folder), verify=lambda: expect_same(result, source))

    netdash = contender(
        f"netdash -x {CONNECTIONS}", bench.netdash, "--plain", "--ephemeral", "-x", str(CONNECTIONS), "-d", str(folder), url)
    aria2 = contender(
        f"aria2c -x{CONNECTIONS}", "aria2c", "-q", "--no-conf", "--file-allocation=none", f"-x{CONNECTIONS}",
        f"-s{CONNECTIONS}", "-k1M", "-d", str(folder), "-o", result.name, url)
    bench.measure([netdash, aria2], memory=1024)
    bench.compare("wall", netdash, aria2, 0.95)
    bench.end()
