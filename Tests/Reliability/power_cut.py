"""Cuts the power of a disk under netdash at random moments, and looks whether a promise was broken.

    script/power-cut [ROUNDS=50] [SEED=n]

Each round has an ext4 file system of its own in an image file, with the downloads and the saved session on it. At a
random moment the file system is shut down without its journal being written, which is what a power cut leaves. It is
mounted again, and the session goes on in namespaces of its own, in which the machine has just been started: the kernel's
number of the start and the time since then are others. What must hold:

  I1  whatever stands under a final name is the server's file, whole
  I2  a file that the run called completed is there
  I3  a download that the run told of, but not that it failed, is done once its session was opened again and the list read
  I7  no more bytes come than the files have, a second or 8 MiB of the large one, the small ones that were under way, and
      what sockets hold
      and nothing is left in the folder but the files

Beside each a session of its own is filled and loses its power too; see power_cut_store.

Every third round mounts with `noauto_da_alloc`, every third with `data=writeback` too.
"""

import ctypes
import fcntl
import os
import pathlib
import random
import re
import struct
import subprocess
import sys
import tempfile
import time

import common
import crash
import power_cut_store

SHUTDOWN, WITHOUT_LOG = 0x8004587D, 2  # EXT4_IOC_SHUTDOWN, EXT4_GOING_FLAGS_NOLOGFLUSH
RATE = 8 << 20
MOUNTS = ("defaults", "noauto_da_alloc", "noauto_da_alloc,data=writeback")
SECONDS = 90


class Disk:
    """An ext4 file system in an image file."""

    def __init__(self, folder: pathlib.Path, options: str) -> None:
        self.image, self.place, self.options = folder / "image", folder / "disk", options
        self.place.mkdir()
        with self.image.open("wb") as image:
            image.truncate(256 << 20)
        subprocess.run(["mkfs.ext4", "-q", str(self.image)], check=True)
        self.mount()

    def mount(self) -> None:
        subprocess.run(["mount", "-o", f"loop,{self.options}", str(self.image), str(self.place)], check=True)

    def unmount(self) -> None:
        """Waits for whoever was just ended to let go of it."""
        for _ in range(100):
            if subprocess.run(["umount", str(self.place)], stderr=subprocess.DEVNULL).returncode == 0:
                return
            time.sleep(0.05)
        raise OSError(f"{self.place} cannot be unmounted")

    def cut(self) -> None:
        descriptor = os.open(self.place, os.O_RDONLY)
        try:
            fcntl.ioctl(descriptor, SHUTDOWN, struct.pack("I", WITHOUT_LOG))
        finally:
            os.close(descriptor)


def restarted(folder: pathlib.Path) -> list[str]:
    """The words before a command that let it see a machine which has just been started."""
    number = folder / "boot"
    number.write_text("11111111-2222-4333-8444-555555555555\n")
    # Whole seconds can be set alone, and what was written before the cut is older than the start of the machine.
    time.sleep(1 - time.clock_gettime(time.CLOCK_BOOTTIME) % 1 + 0.01)
    age = int(time.clock_gettime(time.CLOCK_BOOTTIME))
    script = 'mount --bind "$0" /proc/sys/kernel/random/boot_id && exec "$@"'
    return ["unshare", "--mount", "--time", f"--boottime=-{age}", "sh", "-c", script, str(number)]


class Round:
    """One run, one cut, and the runs after it."""

    def __init__(self, folder: pathlib.Path, options: str) -> None:
        self.disk, self.folder, self.problems = Disk(folder, options), folder, []
        self.out = self.disk.place / "out"
        self.out.mkdir()
        self.server = crash.Server(rate=RATE)
        self.server.refused.add(crash.FAILING_FIRST)  # This one has nothing to do with disks.
        url = f"http://127.0.0.1:{self.server.server_port}"
        (folder / "list").write_text("\n".join(f"{url}/{name}" for name in crash.FILES) + "\n")
        # What was there before the power went is on the disk.
        descriptor = os.open(self.disk.place, os.O_RDONLY)
        ctypes.CDLL(None).syncfs(descriptor)
        os.close(descriptor)
        self.environment = dict(
            os.environ, HOME=str(self.disk.place), XDG_STATE_HOME=str(self.disk.place / "state"),
            XDG_CONFIG_HOME=str(folder), TMPDIR=str(self.disk.place), LANG="C.UTF-8")

    def start(self, log: pathlib.Path, *more: str, is_later: bool = False) -> subprocess.Popen:
        words = restarted(self.folder) if is_later else []
        words += [os.environ["NETDASH"], "--plain", "--session", "power", "--if-exists", "skip", "-d", str(self.out), *more]
        with log.open("ab") as output:
            return subprocess.Popen(
                words, env=self.environment, cwd=self.folder, stdin=subprocess.DEVNULL, stdout=output, stderr=output)

    def finish(self, process: subprocess.Popen) -> int | None:
        try:
            return process.wait(SECONDS)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()
            return None

    def check_files(self, when: str) -> None:
        for path in self.out.iterdir():
            if path.name.startswith("."):
                continue
            try:
                is_right = path.read_bytes() == self.server.bodies.get(path.name)
            except OSError as error:
                self.problems.append(f"I1: {path.name} cannot be read {when}: {error.strerror}")
                continue
            if not is_right:
                self.problems.append(f"I1: {path.name} is wrong {when}")

    def names(self) -> set[str]:
        return {path.name for path in self.out.iterdir()}

    def cut_after(self, seconds: float) -> set[str]:
        """Runs until the cut; answers what the run has told of."""
        log = self.folder / "first"
        process = self.start(log, "-i", str(self.folder / "list"))
        time.sleep(seconds)
        self.disk.cut()
        told = log.read_text(errors="replace")
        process.kill()
        process.wait()
        self.disk.unmount()
        self.disk.mount()
        completed = {name for name in crash.FILES if re.search(rf"completed.*/out/{re.escape(name)}\n", told)}
        if missing := completed - self.names():
            self.problems.append(f"I2: called completed and not there: {sorted(missing)}")
        self.check_files("after the cut")
        return {name for name in crash.FILES if f"/{name}" in told}

    def go_on(self, told: set[str]) -> None:
        log = self.folder / "later"
        if self.finish(self.start(log, is_later=True)) is None:
            self.problems.append("the session alone does not end")
        self.check_files("when the session was opened again")
        code = self.finish(self.start(log, "-i", str(self.folder / "list"), is_later=True))
        if code != 0:
            self.problems.append(f"the list does not end well: {'none' if code is None else f'exit code {code}'}")
        self.check_files("at the end")
        if missing := (told | set(crash.FILES)) - self.names():
            self.problems.append(f"I3: missing at the end: {sorted(missing)}")
        if more := self.names() - set(crash.FILES):
            self.problems.append(f"left: {sorted(more)}")
        small = sum(length for name, length in crash.FILES.items() if length != crash.LARGE)
        if self.server.sent > crash.LARGE + 2 * small + max(crash.CHECKPOINT, RATE) + crash.SOCKETS:
            self.problems.append(f"I7: {self.server.sent >> 20} MiB came, the files have {crash.LARGE >> 20}")

    def end(self) -> None:
        self.server.shutdown()
        self.server.server_close()
        self.disk.unmount()


def refusal() -> str | None:
    """Why it cannot be done here."""
    if os.geteuid() != 0:
        return "it needs root, to mount"
    with tempfile.TemporaryDirectory(prefix="netdash-power-") as name:
        try:
            disk = Disk(pathlib.Path(name), MOUNTS[0])
        except (OSError, subprocess.CalledProcessError):
            return "no image can be mounted here"
        try:
            disk.cut()
        except OSError:
            return "the kernel does not shut file systems down"
        finally:
            disk.unmount()
    return None


def cut_additions(number: int, chance: random.Random) -> tuple[bool, int]:
    """One cut while tasks are added; answers whether a promise was broken, and how many tasks had been added."""
    binary = power_cut_store.program()
    if binary is None:
        return False, 0
    options = MOUNTS[number % len(MOUNTS)]
    with tempfile.TemporaryDirectory(prefix="netdash-power-") as name:
        disk = Disk(pathlib.Path(name), options)
        try:
            found, added = power_cut_store.cut(disk, binary, chance)
        finally:
            disk.unmount()
    for problem in found:
        print(f"cut {number + 1} after {added} additions ({options}): {problem}", flush=True)
    return bool(found), added


def main() -> int:
    values = common.settings("power-cut", {"ROUNDS": 50, "SEED": int(time.time())})
    rounds, seed = values["ROUNDS"], values["SEED"]
    if reason := refusal():
        print(f"script/power-cut: left out: {reason}")
        return 0
    print(f"script/power-cut: {rounds} cuts, seed {seed}", flush=True)
    chance, broken, sent, added = random.Random(seed), 0, [], 0
    for number in range(rounds):
        moment = chance.uniform(0.02, crash.LARGE / RATE + 0.5)
        with tempfile.TemporaryDirectory(prefix="netdash-power-") as name:
            one = Round(pathlib.Path(name), MOUNTS[number % len(MOUNTS)])
            try:
                one.go_on(one.cut_after(moment))
            finally:
                one.end()
            for problem in one.problems:
                print(f"cut {number + 1} after {moment:.2f} s ({MOUNTS[number % len(MOUNTS)]}): {problem}", flush=True)
            broken += bool(one.problems)
            sent.append(one.server.sent - sum(crash.FILES.values()))
        is_broken, count = cut_additions(number, chance)
        broken, added = broken + is_broken, added + count
    print(f"script/power-cut: {rounds} cuts, {broken} with a broken promise; fetched twice at most {max(sent, default=0) >> 10} KiB; "
          f"{added} tasks were acknowledged before further cuts")
    return 1 if broken else 0


if __name__ == "__main__":
    sys.exit(main())
