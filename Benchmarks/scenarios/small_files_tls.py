"""10,000 files of 10 KiB from one list over TLS, to a file system in memory: HTTP/1.1 beside HTTP/2, netdash beside curl -Z."""

import pathlib
import tempfile

from support.bench import Bench, Contender
from support.file_list import FileList
from support.small_files import make_sources


def run(bench: Bench) -> None:
    with tempfile.TemporaryDirectory(dir="/dev/shm") as parent:
        measure(bench, pathlib.Path(parent) / "small")


def measure(bench: Bench, folder: pathlib.Path) -> None:
    files = FileList(bench, "small", make_sources(bench), folder, bench.server.kept_secure_url)
    authority = str(bench.server.certificate)

    def netdash(name: str, *options: str) -> Contender:
        return files.contender(
            name, bench.netdash, "--quiet", "--cacert", authority, "-i", str(files.lines), "-d", str(folder), "-j", "50",
            "--max-per-host", "50", *options)

    def curl(name: str, option: str) -> Contender:
        return files.contender(
            name, "curl", "-s", "-Z", "--parallel-max", "50", "--cacert", authority, option, "-K", str(files.curl))

    ours = netdash("netdash -i")
    peer = curl("curl -Z --http1.1", "--http1.1")
    others = [netdash("netdash -i --http2", "--http2"), curl("curl -Z --http2", "--http2")]
    bench.measure([ours, peer, *others], memory=512)
    bench.compare("cpu", ours, peer, 1.3)
    bench.compare("wall", ours, peer, 1.0)
    bench.compare("cpu", others[0], others[1], 1.3)
    bench.compare("wall", others[0], others[1], 1.0)
    bench.end()
