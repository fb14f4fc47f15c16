"""One download of 1 GiB over TLS and loopback, to the disk."""

from support.bench import Bench, Contender, expect_same


def run(bench: Bench) -> None:
    source = bench.make_file(bench.server.files / "large.bin", bench.size(1024))
    url = bench.server.secure_url("large.bin")
    authority = str(bench.server.certificate)
    folder = bench.folder / "tls-download"
    result = folder / "large.bin"

    def contender(name: str, *command: str) -> Contender:
        return Contender(
            name, list(command), prepare=lambda: bench.fresh_folder(folder), verify=lambda: expect_same(result, source))

    netdash = contender("netdash", bench.netdash, "--plain", "--ephemeral", "--cacert", authority, "-d", str(folder), url)
    curl = contender("curl -s -o", "curl", "-s", "--cacert", authority, "-o", str(result), url)
    aria2 = contender(
        "aria2c", "aria2c", "-q", "--no-conf", "--file-allocation=none", f"--ca-certificate={authority}", "-d", str(folder),
        "-o", result.name, url)
    bench.measure([netdash, curl, aria2], memory=2048)
    for rival, limit in ((curl, 0.95), (aria2, 0.80)):
        bench.compare("cpu", netdash, rival, limit)
        bench.compare("wall", netdash, rival, limit)
    bench.end()
