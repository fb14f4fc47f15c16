"""A download of 64 MiB, paused and resumed 20 times by key.

Two of the pauses outlast the time for which a connection is held, so the download also goes on with Range. The bytes
must be right, and the server may have sent at most 1 MiB too much per pause. At 512 KiB/s the file outlasts the pauses
even where each takes five seconds; what the last one leaves comes at full speed.
"""

import time

from support.bench import MIB, Bench, expect_same
from support.screen import DONE, PAUSED, RUNNING, Screen, wait_until

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
    bench.end()
