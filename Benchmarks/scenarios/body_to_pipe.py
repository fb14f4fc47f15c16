"""One body of 1 GiB over loopback, to a pipe whose reader is fast."""

from support.bench import Bench, Contender


def run(bench: Bench) -> None:
    size = bench.size(1024)
    bench.make_file(bench.server.files / "large.bin", size)
    url = bench.server.url("large.bin")
    count = bench.folder / "count"

    def verify() -> None:
        arrived = int(count.read_text())
        assert arrived == size, f"{arrived} bytes of {size} have arrived"

    def contender(name: str, *command: str) -> Contender:
        words = ["sh", "-c", 'count=$1; shift; "$@" | wc -c >"$count"', "sh", str(count), *command]
        return Contender(name, words, prepare=lambda: count.unlink(missing_ok=True), verify=verify)

    netdash = contender("netdash -o -", bench.netdash, "--quiet", "-o", "-", url)
    curl = contender("curl -s", "curl", "-s", url)
    bench.measure([netdash, curl], memory=1024)
    bench.compare("wall", netdash, curl, 1.3)
    bench.compare("cpu", netdash, curl, 1.3)
    bench.end()
