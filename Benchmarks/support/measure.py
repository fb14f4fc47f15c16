"""One run of one command: wall time, CPU time and peak memory of its whole process tree."""

import dataclasses
import os
import subprocess
import sys
import time


@dataclasses.dataclass(frozen=True)
class Sample:
    wall: float
    """Seconds."""
    cpu: float
    """Seconds, user and system, of the command and what it waited for."""
    memory: float
    """MiB. What the kernel reports is never less than this interpreter held when it forked, about 20 MiB."""


def run(command: list[str], log: str) -> Sample:
    """Runs a command to its end; its output goes to a log that is shown when it fails."""
    with open(log, "wb") as output:
        began = time.monotonic()
        process = subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=output, stderr=output)
        _, status, usage = os.wait4(process.pid, 0)
        wall = time.monotonic() - began
    process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode != 0:
        with open(log, errors="replace") as output:
            tail = output.read()[-2000:]
        raise AssertionError(f"{' '.join(command)[:200]} ended with {process.returncode}: {tail}")
    return Sample(wall, usage.ru_utime + usage.ru_stime, usage.ru_maxrss / 1024)


def settle(mebibytes: int) -> None:
    """Puts the machine into the same state before every run.

    Writes of the run before reach the disk, and free memory is touched once: a virtual machine hands free memory
    back to its host, and the first touch afterwards costs several times as much as the transfer itself. A process of
    its own does that, because the peak of this one would be reported as every command's.
    """
    os.sync()
    subprocess.run([sys.executable, "-S", "-c", TOUCH, str(mebibytes << 20)], check=True)


TOUCH = "import mmap, sys; mmap.mmap(-1, int(sys.argv[1]), flags=0x22 | mmap.MAP_POPULATE)"  # private, anonymous
