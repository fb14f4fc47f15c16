"""Lets two runs of netdash work for a while against a server where something goes wrong five times a second.

    script/soak [SECONDS=600] [SEED=n]

One run is fed with files as it goes and is never ended: its memory, descriptors and threads are watched. The other has a
saved session and is killed with SIGKILL every 20 seconds. What must hold: each file that stands under its name is one of
the server's versions, whole; each upload that was taken is the file; nothing that was told of is lost; no part is left;
both end with success once the server is good again; in a run of five minutes and more, memory grows by less than 1 MiB in
ten minutes beyond what the rows of the run take; descriptors and threads are as many as at the beginning.
"""

import itertools
import json
import math
import os
import pathlib
import random
import shutil
import signal
import statistics
import subprocess
import sys
import tempfile
import threading
import time

import common
import soak_server

PARALLEL = 64
LARGEST = 64 << 20
RATE = 4 << 20  # bytes a second and connection
BETWEEN_FAULTS, BETWEEN_KILLS, BETWEEN_RESTS = 0.2, 20.0, 30.0
ROW = 2 << 10  # bytes that a row of the run may take, its texts included
JUDGED = 300  # seconds of a run from which on its memory is judged
SPARE = 4  # descriptors and threads that come with the first transfer of a kind, or go a little later
PATIENCE = 180.0  # for the end, once nothing goes wrong any more


def length(chance: random.Random, largest: int) -> int:
    """As many small files as large ones, on a scale of powers; some are empty."""
    return 0 if chance.random() < 0.02 else int(math.exp(chance.uniform(0, math.log(largest))))


class Run:
    """What the two runs have in common."""

    def __init__(self, name: str, root: pathlib.Path, files: soak_server.Files, chance: random.Random) -> None:
        self.folder, self.files, self.chance = root / name, files, chance
        self.out, self.problems, self.checked, self.number = self.folder / "out", [], 0, 0
        self.is_resting = False
        self.out.mkdir(parents=True)
        home = self.folder / "home"
        home.mkdir()
        self.environment = dict(
            os.environ, HOME=str(home), XDG_STATE_HOME=str(self.folder / "state"), XDG_CONFIG_HOME=str(home),
            TMPDIR=str(self.folder), LANG="C.UTF-8")
        self.server = soak_server.SoakServer(files, RATE)
        self.log = (self.folder / "log").open("ab")

    def command(self, *more: str) -> list[str]:
        return [
            os.environ["NETDASH"], "-j", str(PARALLEL), "--max-per-host", str(PARALLEL), "--retries", "1000",
            "--connect-timeout", "5", "--stall-timeout", "10", "-d", str(self.out), *more]

    def job(self, largest: int, is_upload: bool | None = None) -> tuple[str, list[str]]:
        """The name of a new job, and its lines in a list; one of ten is an upload unless it is said."""
        self.number += 1
        name = f"{self.number}-{length(self.chance, largest)}"
        if not (self.chance.random() < 0.1 if is_upload is None else is_upload):
            return name, [f"{self.server.url}/{name}"]
        source = self.folder / f"source-{name}"
        source.write_bytes(self.files.body(name, 0))
        return name, [f"{self.server.url}/put/{name}", "  kind=upload", f"  body-file={source}"]

    def check(self, path: pathlib.Path) -> None:
        """Looks at a file and takes it away, because a disk has an end."""
        if not self.files.is_right(path.name, path.read_bytes()):
            self.problems.append(f"{path.name} is a wrong file")
            path.rename(self.folder / f"wrong-{path.name}")
        else:
            path.unlink()
        self.checked += 1

    def check_all(self) -> set[str]:
        """Looks at everything under its name; answers the names."""
        found = [path for path in self.out.iterdir() if not path.name.startswith(".")]
        for path in found:
            self.check(path)
        return {path.name for path in found}

    def check_uploads(self) -> None:
        with self.server.lock:
            wrong = [name for name, right in self.server.uploads.items() if not right]
        self.problems += [f"the upload {name} is not its file" for name in wrong]

    def left(self) -> None:
        if names := sorted(path.name for path in self.out.iterdir()):
            self.problems.append(f"left behind: {', '.join(names[:5])}, {len(names)} in all")


class SteadyRun(Run):
    """A run that is never ended, and what it takes."""

    def __init__(self, root: pathlib.Path, files: soak_server.Files, chance: random.Random) -> None:
        super().__init__("steady", root, files, chance)
        self.wanted, self.done, self.samples = {}, set(), []
        self.process = subprocess.Popen(
            self.command("--json", "-i", "-"), env=self.environment, cwd=self.folder, stdin=subprocess.PIPE,
            stdout=subprocess.PIPE, stderr=self.log, text=True)
        self.lock = threading.Lock()
        self.reader = threading.Thread(target=self._read, daemon=True)
        self.reader.start()

    def _read(self) -> None:
        for line in self.process.stdout:
            event = json.loads(line)
            kind, name = event.get("event"), os.path.basename(event.get("path") or event.get("url") or "")
            if kind in ("completed", "failed", "cancelled"):
                with self.lock:
                    self.done.add(event["id"])
                if kind == "completed" and event.get("path") and event["path"].startswith(str(self.out)):
                    self.check(pathlib.Path(event["path"]))
                elif kind != "completed":
                    self.problems.append(f"{kind}: {name}: {(event.get('error') or {}).get('message', '')}")

    def feed(self) -> None:
        """Keeps the queue filled."""
        with self.lock:
            open_jobs = len(self.wanted) - len(self.done)
        lines = []
        for _ in range(PARALLEL + 16 - open_jobs):
            name, job = self.job(LARGEST)
            self.wanted[name] = True
            lines += job
        if lines:
            self.process.stdin.write("\n".join(lines) + "\n\n")
            self.process.stdin.flush()

    def feed_one(self, is_upload: bool) -> None:
        """Adds one small job and waits for its end."""
        name, job = self.job(1_000, is_upload)
        self.wanted[name] = True
        self.process.stdin.write("\n".join(job) + "\n\n")
        self.process.stdin.flush()
        while not self.idle() and self.process.poll() is None:
            time.sleep(0.05)
        # Its thread and its files are given back a moment after its end was told.
        time.sleep(0.2)

    def facts(self) -> tuple[float, int, int]:
        """Resident KiB, descriptors and threads."""
        root = pathlib.Path(f"/proc/{self.process.pid}")
        fields = dict(line.split(":", 1) for line in (root / "status").read_text().splitlines() if ":" in line)
        return float(fields["VmRSS"].split()[0]), len(list((root / "fd").iterdir())), int(fields["Threads"])

    def rest(self, now: float) -> None:
        """Feeds nothing more until everything has ended, and says then what the run takes.

        What it takes at work is mostly the buffers of those that happen to be under way, which says nothing of a slope.
        """
        self.is_resting = True
        self.server.quiet()
        if not self.idle():
            return
        self.feed_one(is_upload=False)
        self.samples.append((now, self.facts()[0], len(self.wanted)))
        self.is_resting = False

    def idle(self) -> bool:
        with self.lock:
            return len(self.done) >= len(self.wanted)

    def slope(self) -> float:
        """KiB in ten minutes beyond what the rows may take: the median of the slopes between any two rests (Theil and Sen).

        The first rests are left out, until everything has been used once.
        """
        kept = self.samples[len(self.samples) // 5 :]
        points = [(now, memory - rows * ROW / 1024) for now, memory, rows in kept]
        slopes = [(after[1] - before[1]) / (after[0] - before[0]) for before, after in itertools.combinations(points, 2)]
        return statistics.median(slopes) * 600 if len(points) > 2 else 0

    def end(self) -> int | None:
        self.process.stdin.close()
        try:
            self.process.wait(PATIENCE)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()
            return None
        self.reader.join()
        return self.process.returncode


class KilledRun(Run):
    """A run with a saved session that is killed again and again."""

    def __init__(self, root: pathlib.Path, files: soak_server.Files, chance: random.Random) -> None:
        super().__init__("killed", root, files, chance)
        self.wanted, self.seen, self.kills, self.process = {}, set(), 0, None

    def start(self, count: int) -> None:
        """Goes on with what is saved, and adds more."""
        lines = []
        for _ in range(count):
            name, job = self.job(LARGEST)
            self.wanted[name] = len(job) == 1
            lines += [*job, ""]
        path = self.folder / "list"
        path.write_text("\n".join(lines) + "\n")
        more = ["-i", str(path)] if count else []
        self.process = subprocess.Popen(
            self.command("--plain", "--session", "soak", *more), env=self.environment, cwd=self.folder, stdin=subprocess.DEVNULL,
            stdout=self.log, stderr=self.log)

    def kill(self) -> None:
        if self.process.poll() is None:
            self.process.send_signal(signal.SIGKILL)
            self.kills += 1
        self.process.wait()
        self.seen |= self.check_all()

    def end(self) -> int | None:
        """The last run, with everything that was ever asked for once more: what is there already is left alone."""
        try:
            code = self.process.wait(PATIENCE)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()
            return None
        self.seen |= self.check_all()
        # The list of a run that was killed may not have been written down; what was told of counts.
        self.log.flush()
        told = (self.folder / "log").read_text(errors="replace")
        lost = [name for name, is_file in self.wanted.items() if is_file and name not in self.seen and f"/{name}" in told]
        if lost:
            self.problems.append(f"lost: {', '.join(lost[:5])}, {len(lost)} in all")
        return code


def work(steady: SteadyRun, killed: KilledRun, seconds: float, chance: random.Random) -> int:
    """The time in which things go wrong; answers how often they did."""
    began = time.monotonic()
    next_kill, next_rest, faults = began + min(BETWEEN_KILLS, seconds / 3), began + BETWEEN_RESTS, 0
    killed.start(PARALLEL * 2)
    while (now := time.monotonic()) < began + seconds and steady.process.poll() is None:
        if now >= next_rest:
            steady.rest(now)
            next_rest += 0 if steady.is_resting else BETWEEN_RESTS
        else:
            steady.feed()
        for run in (steady, killed):
            if not run.is_resting:
                run.server.strike(chance)
                faults += 1
        if now >= next_kill:
            killed.kill()
            killed.start(PARALLEL)
            next_kill += BETWEEN_KILLS
        time.sleep(BETWEEN_FAULTS)
    for run in (steady, killed):
        run.server.quiet()
    return faults


def settle(steady: SteadyRun, base: tuple[float, int, int]) -> tuple[float, int, int]:
    """Waits until nothing is under way and what the work took was given back."""
    limit = time.monotonic() + PATIENCE
    while not steady.idle() and time.monotonic() < limit and steady.process.poll() is None:
        time.sleep(0.1)
    if not steady.idle():
        steady.problems.append(f"{len(steady.wanted) - len(steady.done)} rows do not end")
    # What a server has closed is given back when a transfer looks for a connection, once a second at most. A thread that
    # waits for work of a queue ends after a while.
    while time.monotonic() < limit:
        steady.server.close_connections()
        time.sleep(1.5)
        steady.feed_one(is_upload=False)
        facts = steady.facts()
        if facts[1] <= base[1] + SPARE and facts[2] <= base[2] + SPARE:
            return facts
    steady.problems.append(f"descriptors {facts[1]} and threads {facts[2]} at the end, {base[1]} and {base[2]} at the beginning")
    return facts


def begin(steady: SteadyRun) -> tuple[float, int, int]:
    """What the run takes once it has done its first job of each kind and rests."""
    for is_upload in (False, True):
        steady.feed_one(is_upload)
    return steady.facts()


def main() -> int:
    values = common.settings("soak", {"SECONDS": 600, "SEED": int(time.time())})
    seconds, seed = values["SECONDS"], values["SEED"]
    print(f"script/soak: {seconds:.0f} s, seed {seed}", flush=True)
    chance = random.Random(seed)
    files = soak_server.Files(seed)
    root = pathlib.Path(tempfile.mkdtemp(prefix="netdash-soak-"))
    steady = killed = None
    try:
        steady = SteadyRun(root, files, chance)
        killed = KilledRun(root, files, chance)
        base = begin(steady)
        faults = work(steady, killed, seconds, chance)
        facts = settle(steady, base)
        slope = steady.slope()
        rests = ", ".join(f"{memory / 1024:.1f}" for _, memory, _ in steady.samples)
        # A short run shows what the allocator keeps of the busiest moment, and nothing of a slope.
        if slope > 1024 and seconds >= JUDGED:
            steady.problems.append(f"memory grows by {slope:.0f} KiB in ten minutes beyond the rows")
        for title, run in (("steady", steady), ("killed", killed)):
            code = run.end()
            run.check_all()
            run.check_uploads()
            if code != 0:
                run.problems.append(f"the end: {'none' if code is None else f'exit code {code}'}")
            run.left()
            for problem in run.problems:
                print(f"{title}: {problem}")
        print(f"script/soak: MiB at rest: {rests or 'never'}")
        print(
            f"script/soak: {faults} faults, {killed.kills} kills, {steady.checked + killed.checked} files looked at, "
            f"{len(steady.server.uploads) + len(killed.server.uploads)} uploads; memory {base[0] / 1024:.1f} MiB, then "
            f"{facts[0] / 1024:.1f}, {slope:+.0f} KiB in ten minutes beyond the rows; descriptors {base[1]}, then {facts[1]}; "
            f"threads {base[2]}, then {facts[2]}; {len(steady.problems) + len(killed.problems)} broken promises")
        if steady.problems or killed.problems:
            kept = root.with_name(root.name + "-kept")
            root.rename(kept)
            print(f"script/soak: what was left is in {kept}")
        return 1 if steady.problems or killed.problems else 0
    finally:
        for run in (steady, killed):
            if run and run.process and run.process.poll() is None:
                run.process.kill()
                run.process.wait()
        shutil.rmtree(root, ignore_errors=True)


if __name__ == "__main__":
    sys.exit(main())
