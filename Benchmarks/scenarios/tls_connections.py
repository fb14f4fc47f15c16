"""200 files of 10 KiB, each over a TLS connection of its own: netdash against wget2 and aria2c."""

import filecmp

from support.bench import Bench, Contender

COUNT = 200


def run(bench: Bench) -> None:
    folder = bench.folder / "tls"
    names = [f"{number:03}.bin" for number in range(COUNT)]
    for name in names:
        bench.make_file(bench.server.files / "tls" / name, 10 << 10)
    input_list = bench.folder / "tls-urls.txt"
    input_list.write_text("".join(f"{bench.server.secure_url(f'tls/{name}')}\n" for name in names))
    authority = str(bench.server.certificate)

    def verify() -> None:
        same, _, _ = filecmp.cmpfiles(bench.server.files / "tls", folder, names, shallow=False)
        assert len(same) == COUNT, f"{COUNT - len(same)} of {COUNT} files are missing or wrong"

    def contender(name: str, *command: str) -> Contender:
        return Contender(name, list(command), prepare=lambda: bench.fresh_folder(folder), verify=verify)

    netdash = contender(
        "netdash -i", bench.netdash, "--quiet", "--cacert", authority, "-j", "5", "-i", str(input_list), "-d", str(folder))
    wget2 = contender(
        "wget2 -i", "wget2", "-q", f"--ca-certificate={authority}", "--max-threads=5", "-i", str(input_list), "-P",
        str(folder))
    aria2 = contender(
        "aria2c -i", "aria2c", "-q", f"--ca-certificate={authority}", "-j", "5", "-i", str(input_list), "-d", str(folder))
    bench.measure([netdash, wget2, aria2], memory=256)
    bench.compare("cpu", netdash, wget2, 1.0)
    bench.compare("cpu", netdash, aria2, 0.5)
    bench.end()
