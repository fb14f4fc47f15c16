"""One download of 1 GiB over loopback, to a file system in memory, beside a bare loop of recv and write."""

import pathlib
import subprocess
import tempfile

from support.bench import Bench, Contender, expect_same

PROGRAM = pathlib.Path(__file__).parent.parent / "programs" / "receive_loop.c"


def run(bench: Bench) -> None:
    source = bench.make_file(bench.server.files / "large.bin", bench.size(1024))
    url = bench.server.url("large.bin")
    loop = bench.folder / "receive_loop"
    subprocess.run(["clang", "-O2", "-o", str(loop), str(PROGRAM)], check=True)
    with tempfile.TemporaryDirectory(dir="/dev/shm") as scratch:
        folder = pathlib.Path(scratch) / "download"
        result = folder / "large.bin"

        def contender(name: str, *command: str) -> Contender:
            return Contender(
                name, list(command), prepare=lambda: bench.fresh_folder(folder), verify=lambda: expect_same(result, source))

        netdash = contender("netdash", bench.netdash, "--plain", "--ephemeral", "-d", str(folder), url)
        bare = contender("recv and write", str(loop), str(bench.server.port), "large.bin", str(result))
        curl = contender("curl -s -o", "curl", "-s", "-o", str(result), url)
        aria2 = contender(
            "aria2c", "aria2c", "-q", "--no-conf", "--file-allocation=none", "-d", str(folder), "-o", result.name, url)
        wget2 = contender("wget2", "wget2", "--no-config", "-q", "-O", str(result), url)
        bench.measure([netdash, bare, curl, aria2, wget2], memory=2560)
        for rival, limit in ((bare, 1.15), (curl, 0.60), (aria2, 0.45), (wget2, 0.90)):
            bench.compare("cpu", netdash, rival, limit)
    bench.end()
