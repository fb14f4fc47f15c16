"""10,000 files of 10 KiB from one list over TLS, to a file system in memory: HTTP/1.1 beside HTTP/2, netdash beside curl -Z."""

import filecmp
import pathlib
import tempfile

from support.bench import Bench, Contender
from support.small_files import make_sources


def run(bench: Bench) -> None:
    with tempfile.TemporaryDirectory(dir="/dev/shm") as parent:
        measure(bench, pathlib.Path(parent) / "small")


def measure(bench: Bench, folder: pathlib.Path) -> None:
    names = make_sources(bench)
    urls = [bench.server.kept_secure_url(f"small/{name}") for name in names]
    authority = str(bench.server.certificate)
    input_list = bench.folder / "secure-urls.txt"
    input_list.write_text("".join(f"{url}\n" for url in urls))
    curl_list = bench.folder / "secure-curl.conf"
    curl_list.write_text("".join(f'url = "{url}"\noutput = "{folder / name}"\n' for url, name in zip(urls, names)))

    def verify() -> None:
        same, _, _ = filecmp.cmpfiles(bench.server.files / "small", folder, names, shallow=False)
        assert len(same) == len(names), f"{len(names) - len(same)} of {len(names)} files are missing or wrong"

    def contender(name: str, *command: str) -> Contender:
        return Contender(name, list(command), prepare=lambda: bench.fresh_folder(folder), verify=verify)

    def netdash(name: str, *options: str) -> Contender:
        return contender(
            name, bench.netdash, "--quiet", "--cacert", authority, "-i", str(input_list), "-d", str(folder), "-j", "50",
            "--max-per-host", "50", *options)

    def curl(name: str, option: str) -> Contender:
        return contender(name, "curl", "-s", "-Z", "--parallel-max", "50", "--cacert", authority, option, "-K", str(curl_list))

    ours = netdash("netdash -i")
    peer = curl("curl -Z --http1.1", "--http1.1")
    others = [netdash("netdash -i --http2", "--http2"), curl("curl -Z --http2", "--http2")]
    bench.measure([ours, peer, *others], memory=512)
    bench.compare("cpu", ours, peer, 1.3)
    bench.compare("wall", ours, peer, 1.0)
    bench.compare("cpu", others[0], others[1], 1.3)
    bench.compare("wall", others[0], others[1], 1.0)
    bench.end()
