"""A program on a real terminal: tmux holds the screen, tests press keys and read what a person would see."""

import os
import re
import shlex
import subprocess
import time
from collections.abc import Callable

PAUSED = re.compile(r"(‖|\bP) [↓↑◇v^*] ")
RUNNING = re.compile(r"(▸|\bR) [↓↑◇v^*] ")
DONE = re.compile(r"(✓|\bD) [↓↑◇v^*] ")


class Screen:
    """One command in a tmux server of its own; the server ends with the `with` block."""

    def __init__(self, command: list[str], width: int = 120, height: int = 36):
        self._socket = f"netdash-bench-{os.getpid()}"
        self._tmux("-f", os.devnull, "new-session", "-d", "-x", str(width), "-y", str(height),
                   "-e", "LANG=C.UTF-8", "sleep 3600")
        self._tmux("set-option", "-g", "remain-on-exit", "on")
        self._tmux("respawn-pane", "-k", "exec " + shlex.join(command))

    def __enter__(self) -> "Screen":
        return self

    def __exit__(self, *_) -> None:
        self._tmux("kill-server")

    def press(self, key: str) -> None:
        self._tmux("send-keys", key)

    def text(self) -> str:
        return self._tmux("capture-pane", "-p")

    def wait_for(self, pattern: re.Pattern, seconds: float = 15) -> None:
        """Returns when the screen shows the pattern; shows the screen when it never does."""
        wait_until(lambda: pattern.search(self.text()) is not None, seconds,
                   lambda: f"the screen never showed {pattern.pattern!r}:\n{self.text()}")

    def _tmux(self, *arguments: str) -> str:
        result = subprocess.run(
            ["tmux", "-u", "-L", self._socket, *arguments], check=True, stdout=subprocess.PIPE, text=True)
        return result.stdout


def wait_until(condition: Callable[[], bool], seconds: float, complaint: Callable[[], str]) -> None:
    deadline = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < deadline, complaint()
        time.sleep(0.02)
