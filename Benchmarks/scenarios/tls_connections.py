"""200 files of 10 KiB, each over a TLS connection of its own: netdash against wget2 and aria2c."""

from support.bench import Bench
from support.file_list import FileList

COUNT = 200


def run(bench: Bench) -> None:
    folder = bench.folder / "tls"
    names = [f"{number:03}.bin" for number in range(COUNT)]
    for name in names:
        bench.make_file(bench.server.files / "tls" / name, 10 << 10)
    files = FileList(bench, "tls", names, folder, bench.server.secure_url)
    authority = str(bench.server.certificate)

    netdash = files.contender(
        "netdash -i", bench.netdash, "--quiet", "--cacert", authority, "-j", "5", "-i", str(files.lines), "-d", str(folder))
    wget2 = files.contender(
        "wget2 -i", "wget2", "-q", f"--ca-certificate={authority}", "--max-threads=5", "-i", str(files.lines), "-P",
        str(folder))
    aria2 = files.contender(
        "aria2c -i", "aria2c", "-q", f"--ca-certificate={authority}", "-j", "5", "-i", str(files.lines), "-d", str(folder))
    bench.measure([netdash, wget2, aria2], memory=256)
    bench.compare("cpu", netdash, wget2, 1.0)
    bench.compare("cpu", netdash, aria2, 0.5)
    bench.end()
