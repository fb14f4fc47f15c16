"""64 files of 16 MiB from one list, over loopback, to a file system in memory."""

import filecmp
import pathlib
import tempfile

from support.bench import Bench, Contender

COUNT = 64
PARALLEL = "16"


def run(bench: Bench) -> None:
    names = [f"{number:02}.bin" for number in range(COUNT)]
    for name in names:
        bench.make_file(bench.server.files / "many-large" / name, bench.size(16))
    urls = [bench.server.url(f"many-large/{name}") for name in names]
    with tempfile.TemporaryDirectory(dir="/dev/shm") as scratch:
        folder = pathlib.Path(scratch) / "many"
        input_list = bench.folder / "many-large.txt"
        input_list.write_text("".join(f"{url}\n" for url in urls))
        curl_list = bench.folder / "many-large.conf"
        curl_list.write_text("".join(f'url = "{url}"\noutput = "{folder / name}"\n' for url, name in zip(urls, names)))

        def verify() -> None:
            same, _, _ = filecmp.cmpfiles(bench.server.files / "many-large", folder, names, shallow=False)
            assert len(same) == COUNT, f"{COUNT - len(same)} of {COUNT} files are missing or wrong"

        def contender(name: str, *command: str) -> Contender:
            return Contender(name, list(command), prepare=lambda: bench.fresh_folder(folder), verify=verify)

        netdash = contender(
            "netdash -i", bench.netdash, "--quiet", "--ephemeral", "-j", PARALLEL, "--max-per-host", PARALLEL, "-i",
            str(input_list), "-d", str(folder))
        curl = contender("curl -Z", "curl", "-s", "-Z", "--parallel-max", PARALLEL, "-K", str(curl_list))
        aria2 = contender(
            "aria2c -j", "aria2c", "-q", "--no-conf", "--file-allocation=none", "-j", PARALLEL, "-i", str(input_list), "-d",
            str(folder))
        wget2 = contender(
            "wget2 -i", "wget2", "--no-config", "-q", f"--max-threads={PARALLEL}", "-i", str(input_list), "-P", str(folder))
        bench.measure([netdash, curl, aria2, wget2], memory=2560)
        for rival, limit in ((curl, 0.75), (aria2, 0.50), (wget2, 0.85)):
            bench.compare("wall", netdash, rival, limit)
    bench.end()
