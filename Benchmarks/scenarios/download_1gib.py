"""One download of 1 GiB over loopback, to the disk."""

from support.bench import Bench, Contender, expect_same


def run(bench: Bench) -> None:
    source = bench.make_file(bench.server.files / "large.bin", bench.size(1024))
    url = bench.server.url("large.bin")
    folder = bench.folder / "download"
    result = folder / "large.bin"

    def contender(name: str, *command: str) -> Contender:
        return Contender(
            name, list(command), prepare=lambda: bench.fresh_folder(folder), verify=lambda: expect_same(result, source))

    netdash = contender("netdash --plain", bench.netdash, "--plain", "-d", str(folder), url)
    curl = contender("curl -s -o", "curl", "-s", "-o", str(result), url)
    aria2 = contender(
        "aria2c", "aria2c", "-q", "--no-conf", "--file-allocation=none", "-d", str(folder), "-o", result.name, url)
    wget2 = contender("wget2", "wget2", "--no-config", "-q", "-O", str(result), url)
    bench.measure([netdash, curl, aria2, wget2], memory=2048)
    bench.compare("cpu", netdash, curl, 0.6)
    bench.compare("cpu", netdash, aria2, 0.45)
    bench.compare("cpu", netdash, wget2, 0.9)
    bench.compare("wall", netdash, curl, 1.0)
    bench.gate("peak memory", netdash.median("memory"), 64, " MiB")
    bench.end()
