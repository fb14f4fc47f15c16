"""A download of 64 MiB, paused and resumed 20 times by key.

Two of the pauses outlast the time for which a connection is held, so the download also goes on with Range. The bytes
must be right, and the server may have sent at most 1 MiB too much per pause. At 512 KiB/s the file outlasts the pauses
even where each takes five seconds; what the last one leaves comes at full speed.

Then another download at 7 MB/s is paused 20 times for 1.2 s. The kernel goes on taking bytes until its buffer is full:
that must be over after 200 ms but for half a MiB, at each pause, and each resume must bring the full speed again.
"""

import time

from support.bench import MIB, Bench, expect_same
from support.counting import CountingServer
from support.screen import DONE, PAUSED, RUNNING, Screen, wait_until

RATE = 7_000_000
PAUSES = [0.3] * 9 + [12.0] + [0.3] * 9 + [12.0]


def run(bench: Bench) -> None:
    size = bench.size(64)
    pauses = PAUSES[8:10] if bench.is_quick else PAUSES
    source = bench.make_file(bench.server.files / "pause.bin", size)
    folder = bench.folder / "pause"
    bench.fresh_folder(folder)
    result = folder / source.name
    bench.server.hold()
    with Screen([bench.netdash, "-d", str(folder), bench.server.url("held/pause.bin")]) as screen:
        for number, seconds in enumerate(pauses, start=1):
            screen.wait_for(RUNNING)
            time.sleep(0.3)  # Let some bytes flow: this is a story, and it takes its time.
            screen.press("p")
            screen.wait_for(PAUSED)
            time.sleep(seconds)
            assert PAUSED.search(screen.text()), f"it went on by itself:\n{screen.text()}"
            if number == len(pauses):
                bench.server.release()
            screen.press("r")
        screen.wait_for(DONE, seconds=60)
        screen.press("q")
    expect_same(result, source)
    assert list(folder.iterdir()) == [result], f"left behind: {sorted(path.name for path in folder.iterdir())}"

    def requests() -> list[tuple[str, int, int]]:
        return [entry for entry in bench.server.sent("held") if entry[0].endswith("/pause.bin")]

    wait_until(lambda: bool(requests()), 5, lambda: "the server logged no request")
    sent = sum(count for _, _, count in requests())
    bench.note(f"{len(requests())} requests, sha256 right")
    bench.gate("sent by the server", sent / MIB, size / MIB + len(pauses), " MiB")
    measure_buffers(bench, 2 if bench.is_quick else 20)
    bench.end()


def measure_buffers(bench: Bench, pauses: int) -> None:
    """What the kernel takes during each pause, and how fast it goes on after it."""
    source = bench.make_file(bench.server.files / "counted.bin", (pauses + 5) * 2 * RATE)
    folder = bench.folder / "counted"
    bench.fresh_folder(folder)
    late: list[int] = []
    whole: list[int] = []
    speeds: list[float] = []
    with CountingServer(source, RATE) as server:
        url = f"http://127.0.0.1:{server.port}/counted.bin"
        # Not with the first part's row in its list, which the keys would mean.
        with Screen([bench.netdash, "--ephemeral", "-d", str(folder), url]) as screen:
            screen.wait_for(RUNNING)
            time.sleep(1.5)
            for _ in range(pauses):
                screen.press("p")
                screen.wait_for(PAUSED)
                at_pause = server.arrived
                time.sleep(0.2)
                soon = server.arrived
                time.sleep(1)
                late.append(server.arrived - soon)
                whole.append(server.arrived - at_pause)
                screen.press("r")
                screen.wait_for(RUNNING)
                start, began = server.arrived, time.monotonic()
                time.sleep(1)
                speeds.append((server.arrived - start) / (time.monotonic() - began))
            screen.wait_for(DONE, seconds=120)
            screen.press("q")
    expect_same(folder / source.name, source)
    bench.note(f"at {RATE / 1e6:.0f} MB/s a pause took {max(whole) / MIB:.2f} MiB in all at most; sha256 right")
    bench.gate("taken after the first 200 ms of a pause", max(late) / MIB, 0.5, " MiB")
    bench.gate("full speed divided by the slowest second after a resume", RATE / min(speeds), 1.1)
