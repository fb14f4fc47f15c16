"""What each part looks with: netdash and curl as programs, and the report of what came out."""

import os
import pathlib
import subprocess
import time
import typing

NETDASH = str(pathlib.Path(os.environ.get("NETDASH", ".build/debug/netdash")).absolute())


class Report:
    """What was looked at, and what is not as it should be."""

    def __init__(self, shows_all: bool) -> None:
        self.shows_all = shows_all
        self.passed = 0
        self.failed = 0
        self.left_out: list[str] = []

    def check(self, part: str, name: str, problem: str | None) -> None:
        self.passed += problem is None
        self.failed += problem is not None
        if problem is not None:
            print(f"     FAIL {part}: {name}\n          {problem}", flush=True)
        elif self.shows_all:
            print(f"     ok   {part}: {name}", flush=True)

    def say(self, part: str, text: str) -> None:
        """A figure, or what was not looked at."""
        if self.shows_all:
            print(f"     {part}: {text}", flush=True)

    def leave_out(self, name: str, reason: object) -> None:
        self.left_out.append(name)
        print(f"--   {name}: left out, {reason}", flush=True)


class Result(typing.NamedTuple):
    """How a program ended, and what it printed."""

    code: int
    output: bytes
    messages: str

    def problem(self, code: int = 0, sentence: str = "") -> str | None:
        """What is not as it should be; None when it ended with this code and has said this."""
        if self.code == code and sentence in self.messages:
            return None
        wanted = f"{code}" + (f" with \"{sentence}\"" if sentence else "")
        return f"exit code {self.code} instead of {wanted}: {self.messages.strip()[-600:]} {self.output[:200]!r}"


def environment(folder: pathlib.Path, more: dict[str, str] | None = None) -> dict[str, str]:
    """The variables of a user without proxies, configuration and state of earlier runs."""
    kept = {name: value for name, value in os.environ.items()
            if not name.lower().endswith("_proxy") and not name.startswith("XDG_")}
    runtime = folder / "runtime"
    runtime.mkdir(mode=0o700, exist_ok=True)
    home = folder / "home"
    home.mkdir(exist_ok=True)
    return kept | {"HOME": str(home), "XDG_RUNTIME_DIR": str(runtime)} | (more or {})


def run(words: list[str], folder: pathlib.Path, more: dict[str, str] | None = None) -> Result:
    done = subprocess.run(words, cwd=folder, env=environment(folder, more), capture_output=True, timeout=120,
                          stdin=subprocess.DEVNULL)
    return Result(done.returncode, done.stdout, done.stderr.decode(errors="replace"))


def netdash(words: list[str], folder: pathlib.Path, more: dict[str, str] | None = None) -> Result:
    return run([NETDASH, *words], folder, more)


def knows(option: str) -> bool:
    """Whether the program that is tried has an option."""
    return option in subprocess.run([NETDASH, "help"], capture_output=True, text=True, timeout=20, check=False).stdout


def wait_until(condition: typing.Callable[[], object], seconds: float = 30) -> bool:
    """Whether a condition came true in time."""
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        if condition():
            return True
        time.sleep(0.02)
    return False


def size(path: pathlib.Path) -> int:
    try:
        return path.stat().st_size
    except FileNotFoundError:
        return 0


def other_bytes(path: pathlib.Path, wanted: bytes) -> str | None:
    """What is wrong with a file; None when it has these bytes."""
    if not path.exists():
        return f"{path.name} is not there"
    found = path.read_bytes()
    return None if found == wanted else f"{path.name} has other bytes ({len(found)} instead of {len(wanted)})"


def partial(folder: pathlib.Path, name: str) -> int:
    """How many bytes of an unfinished download are in a folder."""
    return max((size(path) for path in folder.glob(f".{name}*.part")), default=0)


def say(text: str) -> None:
    print(text, flush=True)
