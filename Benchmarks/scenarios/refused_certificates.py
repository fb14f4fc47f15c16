"""2,000 files of a server whose certificate nobody has signed: each is refused, and none is there."""

from support.bench import Bench, Contender

COUNT = 2_000


def run(bench: Bench) -> None:
    folder = bench.folder / "refused"
    input_list = bench.folder / "refused-urls.txt"
    input_list.write_text("".join(f"{bench.server.secure_url(f'refused/{number}')}\n" for number in range(COUNT)))

    def verify() -> None:
        assert not list(folder.iterdir()), "something was saved"

    # Status 5 is what a refused certificate ends with, so it is the right one.
    command = [
        "sh", "-c", '"$@"; test $? = 5', "sh", bench.netdash, "--quiet", "-i", str(input_list), "-d", str(folder)]
    netdash = Contender("netdash -i", command, prepare=lambda: bench.fresh_folder(folder), verify=verify)
    bench.measure([netdash], memory=256)
    bench.gate("wall time", netdash.median("wall"), 5, " s")
    bench.end()
