"""A program on a pty: counts the bytes it writes and the CPU time it uses while nobody touches it."""

import fcntl
import os
import pathlib
import pty
import select
import signal
import struct
import termios
import time


class Terminal:
    def __init__(self, command: list[str], width: int = 120, height: int = 36):
        self.pid, self._tty = pty.fork()
        if self.pid == 0:
            os.environ.update({"TERM": "xterm-256color", "LANG": "C.UTF-8"})
            os.execvp(command[0], command)
        fcntl.ioctl(self._tty, termios.TIOCSWINSZ, struct.pack("HHHH", height, width, 0, 0))
        self._has_ended = False

    def __enter__(self) -> "Terminal":
        return self

    def __exit__(self, *_) -> None:
        if not self._has_ended:
            os.kill(self.pid, signal.SIGKILL)
            os.waitpid(self.pid, 0)
        os.close(self._tty)

    def read(self, seconds: float) -> int:
        """Reads everything that is written in a span of time; the number of bytes."""
        count, deadline = 0, time.monotonic() + seconds
        while (left := deadline - time.monotonic()) > 0:
            if select.select([self._tty], [], [], left)[0]:
                try:
                    count += len(os.read(self._tty, 65536))
                except OSError as error:
                    raise AssertionError(f"the program left its terminal: {error}") from error
        return count

    def wait_until_quiet(self, seconds: float, deadline: float) -> int:
        """Reads until nothing was written for some seconds; the number of bytes before that."""
        total, end = 0, time.monotonic() + deadline
        while (count := self.read(seconds)) > 0:
            total += count
            assert time.monotonic() < end, f"still writing after {deadline} s"
        return total

    def cpu_ticks(self) -> int:
        """User and system time of the process so far, in clock ticks."""
        fields = pathlib.Path(f"/proc/{self.pid}/stat").read_text().rpartition(")")[2].split()
        return int(fields[11]) + int(fields[12])

    def type(self, text: str) -> None:
        os.write(self._tty, text.encode())

    def wait(self, seconds: float) -> int:
        """The exit code, once the program has ended."""
        deadline = time.monotonic() + seconds
        while time.monotonic() < deadline:
            if select.select([self._tty], [], [], 0.05)[0]:
                try:
                    os.read(self._tty, 65536)
                except OSError:
                    pass
            pid, status = os.waitpid(self.pid, os.WNOHANG)
            if pid:
                self._has_ended = True
                return os.waitstatus_to_exitcode(status)
        raise AssertionError(f"still running {seconds} s after it was told to quit")
