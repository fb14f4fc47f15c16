"""A form (-F) with a sparse file of 4 GiB, to a server that counts it."""

from support.bench import Bench, Contender
from support.sink import Sink


def run(bench: Bench) -> None:
    source = bench.folder / "sparse.bin"
    size = bench.size(4096)
    with source.open("wb") as file:
        file.truncate(size)
    with Sink() as sink:

        def verify() -> None:
            assert sink.latest > size, f"{sink.latest} bytes of a form with a file of {size} arrived"

        def contender(name: str, *command: str) -> Contender:
            return Contender(name, list(command), prepare=sink.forget, verify=verify)

        netdash = contender(
            "netdash request -F", bench.netdash, "request", "--quiet", "-F", f"file=@{source}", sink.url)
        curl = contender("curl -F", "curl", "-s", "-F", f"file=@{source}", sink.url)
        bench.measure([netdash, curl], memory=256)
    bench.gate("peak memory", netdash.median("memory"), 32, " MiB")
    source.unlink()
    bench.end()
