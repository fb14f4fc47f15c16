"""1 GiB from a server without limits: what automatic connections cost beside one."""

from support.bench import Bench, Contender, expect_same


def run(bench: Bench) -> None:
    source = bench.make_file(bench.server.files / "large.bin", bench.size(1024))
    url = bench.server.url("large.bin")
    folder = bench.folder / "segments"
    result = folder / "large.bin"

    def contender(name: str, *options: str) -> Contender:
        return Contender(
            name, [bench.netdash, "--plain", "--ephemeral", *options, "-d", str(folder), url],
            prepare=lambda: bench.fresh_folder(folder), verify=lambda: expect_same(result, source))

    automatic = contender("netdash")
    single = contender("netdash -x 1", "-x", "1")
    bench.measure([automatic, single], memory=2048)
    bench.compare("cpu", automatic, single, 1.05)
    bench.end()
