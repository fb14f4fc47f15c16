"""What the kernel knows of a process: processor time, wake-ups and memory, of one thread or of all."""

import dataclasses
import pathlib


@dataclasses.dataclass(frozen=True)
class Usage:
    """What a process and the children it has now used so far."""

    ticks: int
    """User and system time in clock ticks of 10 ms."""
    cpu: float
    """Seconds on a processor, all threads, to the nanosecond."""
    first_thread_cpu: float
    """The same of the first thread, which is the one that draws."""
    wakeups: int
    """Times a thread gave the processor up by itself, all threads."""
    first_thread_wakeups: int

    def __sub__(self, other: "Usage") -> "Usage":
        pairs = zip(dataclasses.astuple(self), dataclasses.astuple(other))
        return Usage(*(after - before for after, before in pairs))


def usage(pid: int) -> Usage:
    ticks, cpu, first_cpu, wakeups, first_wakeups = 0, 0.0, 0.0, 0, 0
    for process in [pid, *children(pid)]:
        folder = pathlib.Path(f"/proc/{process}")
        fields = (folder / "stat").read_text().rpartition(")")[2].split()
        ticks += int(fields[11]) + int(fields[12])
        for thread in sorted((folder / "task").iterdir(), key=lambda path: int(path.name)):
            try:
                seconds = int((thread / "schedstat").read_text().split()[0]) / 1e9
                switches = status_field(thread / "status", "voluntary_ctxt_switches")
            except (FileNotFoundError, ProcessLookupError):
                continue  # A thread may end between the listing and the reading.
            cpu += seconds
            wakeups += switches
            if thread.name == str(pid):
                first_cpu, first_wakeups = seconds, switches
    return Usage(ticks, cpu, first_cpu, wakeups, first_wakeups)


def resident_mebibytes(pid: int) -> float:
    """Memory that is in use, of the process and the children it has now."""
    return sum(status_field(pathlib.Path(f"/proc/{process}/status"), "VmRSS") for process in [pid, *children(pid)]) / 1024


def children(pid: int) -> list[int]:
    """Every descendant."""
    try:
        found = [int(word) for word in pathlib.Path(f"/proc/{pid}/task/{pid}/children").read_text().split()]
    except FileNotFoundError:
        return []
    return found + [grandchild for child in found for grandchild in children(child)]


def status_field(path: pathlib.Path, name: str) -> int:
    for line in path.read_text().splitlines():
        if line.startswith(name + ":"):
            return int(line.split()[1])
    raise KeyError(f"{path} has no {name}")
