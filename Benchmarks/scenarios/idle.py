"""A dashboard that has nothing to do, for 20 s on a terminal of 120x36.

One with an empty table and one with three finished downloads. Neither may write a byte or use a tick (10 ms) of CPU.
"""

from support.bench import MIB, Bench
from support.terminal import Terminal


def run(bench: Bench) -> None:
    names = [f"idle-{number}.bin" for number in range(3)]
    for name in names:
        bench.make_file(bench.server.files / name, MIB)
    folder = bench.folder / "idle"
    bench.fresh_folder(folder)
    urls = [bench.server.url(name) for name in names]
    watch(bench, "empty", [bench.netdash])
    watch(bench, "three finished rows", [bench.netdash, "-d", str(folder), *urls])
    missing = [name for name in names if not (folder / name).exists()]
    assert not missing, f"{missing} were not downloaded"
    bench.end()


def watch(bench: Bench, title: str, command: list[str]) -> None:
    seconds = 4 if bench.is_quick else 20
    with Terminal(command) as terminal:
        # Notices go away by themselves after a while, so quiet means longer than they last.
        first = terminal.wait_until_quiet(seconds=6, deadline=60)
        assert first > 0, "nothing was drawn"
        before = terminal.cpu_ticks()
        written = terminal.read(seconds)
        ticks = terminal.cpu_ticks() - before
        terminal.type("q")
        code = terminal.wait(seconds=5)
    bench.gate(f"{title}: bytes in {seconds} s", written, 0)
    bench.gate(f"{title}: CPU ticks in {seconds} s", ticks, 0)
    assert code == 0, f"{title}: exit code {code} after q"
