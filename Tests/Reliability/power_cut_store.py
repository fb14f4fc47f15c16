"""Cuts the power of a disk while tasks are added to a saved session one after another.

The program adds, cancels and removes, and says each of it when it was told that it is on the disk. After the cut the
session must be sound and hold exactly what was said: nothing that was acknowledged is lost, and nothing that was removed
is back.
"""

import os
import pathlib
import random
import sqlite3
import subprocess

# How long a program may go on without a disk, in seconds, and how many changes it may tell of that were under way.
SECONDS, LATE = 10, 6


def program() -> pathlib.Path | None:
    """The program that fills a session, of the debug build; nil without one."""
    path = pathlib.Path(".build/debug/StoreCrasher").resolve()
    return path if path.exists() else None


def said(output: str) -> dict[str, set[int]]:
    """The numbers that a run has acknowledged, by what became of them.

    The end of a task is told whether the disk takes it or not; what is told next says that it did.
    """
    result: dict[str, set[int]] = {"added": set(), "cancelled": set(), "removed": set()}
    ended = None
    for line in output.splitlines(keepends=True):
        words = line.split()
        if not line.endswith("\n") or len(words) != 2 or words[0] not in result:
            continue
        if ended is not None:
            result["cancelled"].add(ended)
        ended = int(words[1]) if words[0] == "cancelled" else None
        if ended is None:
            result[words[0]].add(int(words[1]))
    return result


def problems(path: pathlib.Path, told: dict[str, set[int]]) -> list[str]:
    """What a session lacks of what it has acknowledged."""
    if not path.exists():
        return ["I3: the session is gone"] if told["added"] else []
    database = sqlite3.connect(path)
    try:
        if (sound := database.execute("PRAGMA integrity_check").fetchall()) != [("ok",)]:
            return [f"the session is not sound: {sound[0][0]}"]
        rows = database.execute("SELECT url, standing FROM transfers").fetchall()
    except sqlite3.Error as error:
        return [f"the session cannot be read: {error}"]
    finally:
        database.close()
    found = {int(url.rsplit("/", 1)[1]): standing for url, standing in rows}
    # A removal may be on the disk although nobody was told of it any more.
    lost = {number for number in told["added"] if number not in found and number % 3 != 2}
    running = {number for number in told["cancelled"] if found.get(number) != "cancelled"}
    back = told["removed"] & found.keys()
    return [
        f"I3: {words}: {sorted(numbers)[:10]}"
        for words, numbers in (("lost", lost), ("not cancelled", running), ("removed and back", back)) if numbers
    ]


def cut(disk, binary: pathlib.Path, chance: random.Random) -> tuple[list[str], int]:
    """One cut after some acknowledgements; answers what is wrong, and how many tasks had been acknowledged."""
    state = disk.place / "state"
    # Memory that is mapped from a disk without power may end the program with a signal, which nobody has to look into.
    environment = dict(os.environ, SWIFT_BACKTRACE="enable=no")
    process = subprocess.Popen(
        [str(binary), "fill", str(state), "1"], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, env=environment)
    lines = [process.stdout.readline() for _ in range(chance.randint(1, 400))]
    os.set_blocking(process.stdout.fileno(), False)
    lines.append(process.stdout.read() or b"")
    # What is said until the call returns may have been on the disk or not, as in the moment of a real cut.
    disk.cut()
    process.stdout.read()
    os.set_blocking(process.stdout.fileno(), True)
    # It ends by itself at the first change that the disk does not take.
    try:
        process.wait(SECONDS)
    except subprocess.TimeoutExpired:
        pass
    process.kill()
    late = process.stdout.read().count(b"\n")
    process.wait()
    process.stdout.close()
    disk.unmount()
    disk.mount()
    told = said(b"".join(lines).decode())
    found = problems(state / "test.sqlite", told)
    if late > LATE:
        found.append(f"I3: told of {late} changes after the disk had gone")
    return found, len(told["added"])
