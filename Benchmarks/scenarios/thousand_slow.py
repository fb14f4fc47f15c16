"""1,000 files of 800 KiB at once from a server that gives each connection 100 KiB/s: the memory that it takes."""

import filecmp

from support.bench import Bench, Contender

COUNT = 1_000


def run(bench: Bench) -> None:
    size = (300 if bench.is_quick else 800) << 10
    folder = bench.folder / "trickle"
    names = [f"{number:04}.bin" for number in range(COUNT)]
    for name in names:
        bench.make_file(bench.server.files / "many" / name, size)
    input_list = bench.folder / "trickle-urls.txt"
    input_list.write_text("".join(f"{bench.server.url(f'trickle/many/{name}')}\n" for name in names))

    def verify() -> None:
        same, _, _ = filecmp.cmpfiles(bench.server.files / "many", folder, names, shallow=False)
        assert len(same) == COUNT, f"{COUNT - len(same)} of {COUNT} files are missing or wrong"

    def contender(name: str, *command: str) -> Contender:
        return Contender(name, list(command), prepare=lambda: bench.fresh_folder(folder), verify=verify)

    netdash = contender(
        "netdash -j1000", bench.netdash, "--quiet", "--ephemeral", "-j", str(COUNT), "--max-per-host", str(COUNT), "-i",
        str(input_list), "-d", str(folder))
    aria2 = contender(
        "aria2c -j1000", "aria2c", "-q", "--no-conf", "--file-allocation=none", "-j", str(COUNT), "-i", str(input_list),
        "-d", str(folder))
    bench.measure([netdash, aria2], memory=2048)
    bench.compare("memory", netdash, aria2, 0.6)
    bench.compare("wall", netdash, aria2, 1.1)
    bench.end()
