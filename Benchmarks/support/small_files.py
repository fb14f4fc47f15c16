"""Ten thousand files of 10 KiB from one list: netdash against curl -Z, and others where that is asked for."""

import itertools
import pathlib

from support.bench import Bench
from support.file_list import FileList

KIB = 1 << 10


def run(bench: Bench, folder: pathlib.Path, sets_aside: bool = False, rivals: bool = False) -> None:
    """Measures them, writing into a folder.

    With `sets_aside` the files of a run are kept until the end: ext4 passes over the numbers of files deleted a moment
    ago, one by one, and who creates ten thousand files then pays mostly for that.
    """
    numbers = itertools.count()

    def prepare() -> None:
        if sets_aside and folder.exists():
            folder.rename(folder.with_name(f"{folder.name}-{next(numbers)}"))
        bench.fresh_folder(folder)

    files = FileList(bench, "small", make_sources(bench), folder, bench.server.url, prepare)

    # Both silent: `curl -s` tells of errors only too.
    netdash = files.contender(
        "netdash -i", bench.netdash, "--quiet", "-i", str(files.lines), "-d", str(folder), "-j", "50",
        "--max-per-host", "50")
    curl = files.contender("curl -Z", "curl", "-s", "-Z", "--parallel-max", "50", "-K", str(files.curl))
    aria2 = files.contender(
        "aria2c -j50", "aria2c", "-q", "--no-conf", "--file-allocation=none", "-j", "50", "-i", str(files.lines), "-d",
        str(folder))
    wget2 = files.contender(
        "wget2 -i", "wget2", "--no-config", "-q", "--max-threads=50", "-i", str(files.lines), "-P", str(folder))
    bench.measure([netdash, curl, aria2, wget2] if rivals else [netdash, curl], memory=512)
    bench.compare("cpu", netdash, curl, 1.0)
    if rivals:
        for rival, limit in ((curl, 0.65), (aria2, 0.25), (wget2, 0.60)):
            bench.compare("wall", netdash, rival, limit)
    else:
        bench.compare("wall", netdash, curl, 1.3)
    bench.gate("peak memory", netdash.median("memory"), 64, " MiB")
    bench.end()


def make_sources(bench: Bench) -> list[str]:
    count = 1_000 if bench.is_quick else 10_000
    names = [f"{number:05}.bin" for number in range(count)]
    for name in names:
        bench.make_file(bench.server.files / "small" / name, 10 * KIB)
    return names
