"""One run of one command: wall time, CPU time and peak memory of its whole process tree."""

import dataclasses
import os
import pathlib
import subprocess
import sys

LAUNCHER = str(pathlib.Path(__file__).with_name("launch.py"))
TOUCH = "import mmap, sys; mmap.mmap(-1, int(sys.argv[1]), flags=0x22 | mmap.MAP_POPULATE)"  # private, anonymous


@dataclasses.dataclass(frozen=True)
class Sample:
    wall: float
    """Seconds."""
    cpu: float
    """Seconds, user and system, of the command and what it waited for."""
    memory: float
    """MiB; figures below 10 are the launcher's."""


def run(command: list[str], log: str) -> Sample:
    """Runs a command to its end; its output goes to a log that is shown when it fails."""
    launch = [sys.executable, "-S", "-E", LAUNCHER, log, *command]
    result = subprocess.run(launch, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, text=True, check=True)
    wall, cpu, memory, code = result.stdout.split()
    if code != "0":
        tail = pathlib.Path(log).read_text(errors="replace")[-2000:]
        raise AssertionError(f"{' '.join(command)[:200]} ended with {code}: {tail}")
    return Sample(float(wall), float(cpu), int(memory) / 1024)


def settle(mebibytes: int) -> None:
    """Puts the machine into the same state before every run.

    Writes of the run before reach the disk, and free memory is touched once: a virtual machine hands free memory
    back to its host, and the first touch afterwards costs several times as much as the transfer itself.
    """
    os.sync()
    subprocess.run([sys.executable, "-S", "-E", "-c", TOUCH, str(mebibytes << 20)], check=True)
