"""64 files of 16 MiB from one list, over loopback, to a file system in memory."""

import pathlib
import tempfile

from support.bench import Bench
from support.file_list import FileList

COUNT = 64
PARALLEL = "16"


def run(bench: Bench) -> None:
    names = [f"{number:02}.bin" for number in range(COUNT)]
    for name in names:
        bench.make_file(bench.server.files / "many-large" / name, bench.size(16))
    with tempfile.TemporaryDirectory(dir="/dev/shm") as scratch:
        folder = pathlib.Path(scratch) / "many"
        files = FileList(bench, "many-large", names, folder, bench.server.url)

        netdash = files.contender(
            "netdash -i", bench.netdash, "--quiet", "--ephemeral", "-j", PARALLEL, "--max-per-host", PARALLEL, "-i",
            str(files.lines), "-d", str(folder))
        curl = files.contender("curl -Z", "curl", "-s", "-Z", "--parallel-max", PARALLEL, "-K", str(files.curl))
        aria2 = files.contender(
            "aria2c -j", "aria2c", "-q", "--no-conf", "--file-allocation=none", "-j", PARALLEL, "-i", str(files.lines), "-d",
            str(folder))
        wget2 = files.contender(
            "wget2 -i", "wget2", "--no-config", "-q", f"--max-threads={PARALLEL}", "-i", str(files.lines), "-P", str(folder))
        bench.measure([netdash, curl, aria2, wget2], memory=2560)
        for rival, limit in ((curl, 0.75), (aria2, 0.50), (wget2, 0.85)):
            bench.compare("wall", netdash, rival, limit)
    bench.end()
