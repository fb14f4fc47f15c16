"""A program on a pty whose every byte is taken at once and stamped with the time it came."""

import fcntl
import os
import pty
import select
import signal
import struct
import termios
import time


class Terminal:
    """Ends the program when the `with` block is left."""

    def __init__(
        self, command: list[str], width: int = 120, height: int = 36, type: str = "xterm-256color",
        home: str = "/nonexistent", runtime: str | None = None,
    ):
        environment = {
            "TERM": type, "LANG": "C.UTF-8", "HOME": home, "PATH": os.environ["PATH"], "XDG_STATE_HOME": home + "/state",
            "XDG_CONFIG_HOME": home + "/config",
        }
        if runtime is not None:
            environment["XDG_RUNTIME_DIR"] = runtime
        driver, terminal = pty.openpty()
        fcntl.ioctl(terminal, termios.TIOCSWINSZ, struct.pack("HHHH", height, width, 0, 0))
        self.width, self.height = width, height
        self.started = time.monotonic()
        self.pid = os.fork()
        if self.pid == 0:
            try:
                os.close(driver)
                os.login_tty(terminal) if hasattr(os, "login_tty") else become_leader(terminal)
                os.execvpe(command[0], command, environment)
            finally:
                os._exit(127)
        os.close(terminal)
        self._driver = driver
        self.received: list[tuple[float, bytes]] = []
        """What came, each with the seconds since the program was started."""

    def __enter__(self) -> "Terminal":
        return self

    def __exit__(self, *_) -> None:
        try:
            os.kill(self.pid, signal.SIGKILL)
        except ProcessLookupError:
            pass
        os.close(self._driver)
        os.waitpid(self.pid, 0)

    @property
    def bytes(self) -> int:
        """Bytes received so far."""
        return sum(len(data) for _, data in self.received)

    def read(self, seconds: float) -> int:
        """Takes everything that is written in a span of time; the number of bytes."""
        count, deadline = 0, time.monotonic() + seconds
        while (left := deadline - time.monotonic()) > 0:
            count += self._take(left)
        return count

    def wait_until_quiet(self, seconds: float, limit: float = 60) -> None:
        """Returns when nothing was written for some seconds."""
        end = time.monotonic() + limit
        while self.read(seconds) > 0:
            assert time.monotonic() < end, f"still writing after {limit} s"

    def wait_until_gone(self) -> None:
        """Returns when the program has ended."""
        try:
            while True:
                self.read(1)
        except AssertionError:
            return

    def wait_for(self, text: bytes, limit: float = 60) -> None:
        """Returns when the text was written since the start."""
        end = time.monotonic() + limit
        while text not in b"".join(data for _, data in self.received):
            assert time.monotonic() < end, f"{text!r} was not written within {limit} s"
            self._take(0.1)

    def answer_time(self, keys: bytes, limit: float = 2) -> tuple[float, int]:
        """Types, and returns the seconds until the first byte came back, and how many came with it."""
        start = time.monotonic()
        os.write(self._driver, keys)
        if not self._take(limit):
            raise AssertionError(f"no answer to {keys!r} within {limit} s")
        at, data = self.received[-1]
        return self.started + at - start, len(data)

    def type(self, keys: bytes) -> None:
        os.write(self._driver, keys)

    def _take(self, limit: float) -> int:
        if not select.select([self._driver], [], [], limit)[0]:
            return 0
        moment = time.monotonic()
        try:
            data = os.read(self._driver, 1 << 18)
        except OSError as error:
            written = b"".join(data for _, data in self.received)[-400:]
            raise AssertionError(f"the program left its terminal: {error}; it last wrote {written!r}") from error
        self.received.append((moment - self.started, data))
        return len(data)


def become_leader(terminal: int) -> None:
    """What login_tty does, for Pythons before 3.11."""
    os.setsid()
    fcntl.ioctl(terminal, termios.TIOCSCTTY, 0)
    for descriptor in range(3):
        os.dup2(terminal, descriptor)
    if terminal > 2:
        os.close(terminal)
