"""Measures a queue on a PostgreSQL of its own. Start it through script/bench fleet, which builds what it needs."""

import argparse
import os
import pathlib
import shutil
import signal
import subprocess
import sys
import time

from postgres import Postgres
from support.nginx import Nginx
from ui.gates import Report

KIB = 1 << 10
HOSTS = 500
# What a queue in the middle of its work has: done, dead, failed once, and running jobs among the waiting ones.
HALF_DONE = """
UPDATE netdash.job SET state = 'done', received = (random() * 1e8)::bigint, ended = now(), worker = 'worker-' || id % 50
WHERE id % 10 < 6;
UPDATE netdash.job SET total = received WHERE state = 'done';
UPDATE netdash.job SET worker = 'visitor' WHERE state = 'done' AND id % 2000 = 1;
UPDATE netdash.job SET state = 'dead', cause = 'status 503', ended = now(), attempts = 6,
    worker = 'worker-' || id % 7 WHERE id % 100 = 66;
UPDATE netdash.job SET not_before = now() + interval '1 hour', attempts = 1, cause = 'status 500' WHERE id % 100 = 67;
UPDATE netdash.job SET state = 'running', lease_until = now() + interval '1 day', worker = 'worker-7', total = 1000000,
    received = (random() * 1e6)::bigint WHERE id % 20000 = 68;
VACUUM ANALYZE;
"""
# A simulated worker's slots, and the milliseconds that each of its jobs takes.
SLOTS, PAUSE = 16, 100
# Downloads at once, of one netdash or of two workers together. A worker hands its slots' files over in one round trip to
# the database, and syncs them together, so small files need many slots.
DOWNLOADS = 200


class FleetBench:
    def __init__(self, folder: pathlib.Path, programs: pathlib.Path, netdash: str, report: Report, scale: float):
        self.folder = folder
        self.fleet = str(programs / "netdash-fleet")
        self.simulator = str(programs / "FleetSimulator")
        self.pages_program = str(programs / "FleetPages")
        self.netdash = netdash
        self.report = report
        self.scale = scale
        self.server = Postgres()

    def many(self, count: int) -> int:
        return max(1, int(count * self.scale))

    def write_list(self, count: int, part: str) -> pathlib.Path:
        path = self.folder / f"{part}.list"
        with path.open("w") as file:
            for number in range(count):
                file.write(f"https://host{number % HOSTS}.example/{part}/{number // 1000}/file-{number}.bin\n")
        return path

    def add(self, path: pathlib.Path, folder: str) -> float:
        began = time.monotonic()
        subprocess.run([self.fleet, "add", str(path), "-d", folder], check=True, stdout=subprocess.DEVNULL)
        return time.monotonic() - began

    def fresh(self, name: str) -> None:
        """An empty queue in a database of its own, for the programs that follow."""
        self.server.create(name)
        subprocess.run([self.fleet, "init"], check=True, stdout=subprocess.DEVNULL)

    def simulators(self, count: int, pause: int, slots: int, order: str) -> list[subprocess.Popen]:
        return [
            subprocess.Popen(
                [self.simulator, f"w{number}", str(slots), "60", str(pause), "-", order], stdout=subprocess.DEVNULL)
            for number in range(count)
        ]

    # The figures, each from an empty queue.

    def claims(self) -> None:
        jobs = self.many(100_000)
        rates = []
        for turn in range(3):
            self.fresh(f"claims{turn}")
            self.add(self.write_list(jobs, "few"), "few")
            self.server.run("VACUUM ANALYZE netdash.job")
            began = time.monotonic()
            workers = self.simulators(4, 0, 50, "drain")
            failed = [worker.args for worker in workers if worker.wait() != 0]
            assert not failed, f"workers failed: {failed}"
            rates.append(jobs / (time.monotonic() - began))
        self.report.at_least(
            f"claims with acknowledgements per second, {jobs:,} jobs, 4 workers, median of 3", sorted(rates)[1], 5_000, "/s")

    def adding(self) -> None:
        rows = self.many(1_000_000)
        path = self.write_list(rows, "many")
        self.fresh("adding")
        self.report.gate(f"adding {rows:,} rows", self.add(path, "many"), 30, "s", 1)
        self.report.note("adding the same list again", self.add(path, "many"), "s", 1)
        self.server.run("VACUUM ANALYZE netdash.job")
        columns = "id, url, dest, state, received, total, worker, cause"
        middle = rows // 2
        pages = {
            "of all": f"SELECT {columns} FROM netdash.job WHERE id > {middle} ORDER BY id LIMIT 100",
            "of a state": f"SELECT {columns} FROM netdash.job WHERE state = 'waiting' AND id > {middle} ORDER BY id LIMIT 100",
            "of a host": f"SELECT {columns} FROM netdash.job WHERE host_id = 9 AND state <> 'running' ORDER BY id LIMIT 100",
        }
        for name, statement in pages.items():
            self.report.gate(f"page {name}, slowest of 5", max(self.timed(statement)), 200, "ms", 1)
        self.report.gate("counts by host and state, slowest of 5", max(self.status()), 1000, "ms", 1)

    def timed(self, statement: str) -> list[float]:
        """The milliseconds of a statement, after one run that fills the caches."""
        script = "\\timing on\n" + f"{statement} \\g /dev/null\n" * 6
        lines = self.server.run(script).splitlines()
        return [float(line.split()[1]) for line in lines if line.startswith("Time:")][1:]

    def status(self) -> list[float]:
        """The milliseconds of the program's own counts, with its start."""
        times = []
        for _ in range(6):
            began = time.monotonic()
            subprocess.run([self.fleet, "status", "--json"], check=True, stdout=subprocess.DEVNULL)
            times.append((time.monotonic() - began) * 1000)
        return times[1:]

    def pages(self) -> None:
        """What a dashboard waits for: its counts, and its pages by each order and with filters."""
        rows = self.many(1_000_000)
        self.fresh("pages")
        self.add(self.write_list(rows, "many"), "many")
        self.server.run(HALF_DONE)
        lines = subprocess.run([self.pages_program], check=True, capture_output=True, text=True).stdout.splitlines()
        times = {name: float(milliseconds) for name, milliseconds in (line.split("\t") for line in lines)}
        self.report.gate(f"a dashboard's counts over {rows:,} rows, slowest of 5", times["counts"], 1000, "ms", 1)
        for kind, form in (("page by", "by an order"), ("page in", "in groups by host or worker")):
            found = {name: time for name, time in times.items() if name.startswith(kind) and " with " not in name}
            slowest = max(found, key=found.get)
            self.report.gate(f"pages of 500 {form}: {slowest[5:]}, slowest of {5 * len(found)}", found[slowest], 200, "ms", 1)
        found = {name: time for name, time in times.items() if name.startswith("page") and " with " in name}
        slowest = max(found, key=found.get)
        self.report.gate(f"pages with a filter: {slowest[5:]}, slowest of all", found[slowest], 200, "ms", 1)
        found = {name: time for name, time in times.items() if name.startswith("rows")}
        slowest = max(found, key=found.get)
        self.report.note(f"until a filter had its first rows: {slowest[5:]}", found[slowest], "ms", 1)

    def knee(self) -> None:
        """The number of workers from which one PostgreSQL does not keep up with them."""
        self.fresh("knee")
        self.add(self.write_list(max(40_000, self.many(400_000)), "knee"), "knee")
        self.server.run("UPDATE netdash.queue SET host_active = 64")
        self.server.run("VACUUM ANALYZE netdash.job")
        knee = 0
        for count in (1, 2, 5, 10, 20, 50, 100):
            workers = self.simulators(count, PAUSE, SLOTS, "serve")
            time.sleep(3)
            first, began = self.done(), time.monotonic()
            time.sleep(max(1, 5 * min(1, self.scale * 2)))
            rate = (self.done() - first) / (time.monotonic() - began)
            for worker in workers:
                worker.send_signal(signal.SIGTERM)
            for worker in workers:
                worker.wait()
            offered = count * SLOTS * 1000 / PAUSE
            self.report.note(f"{count:3} workers of {SLOTS} slots and {PAUSE} ms per job ({offered:,.0f}/s wanted)", rate, "/s")
            knee = count if rate >= 0.8 * offered and knee >= 0 else knee
        self.report.note("the knee: most workers that got four fifths of what they wanted", knee, "workers")

    def done(self) -> int:
        return int(self.server.run("SELECT count(*) FROM netdash.job WHERE state = 'done'"))

    def downloads(self, web: Nginx) -> None:
        files = self.many(10_000)
        lines = self.folder / "small.list"
        (web.files / "small").mkdir()
        for number in range(files):
            (web.files / "small" / f"{number:05}.bin").write_bytes(os.urandom(10 * KIB))
        lines.write_text("".join(web.url(f"small/{number:05}.bin") + "\n" for number in range(files)))
        alone, together = [], []
        for turn in range(3):
            alone.append(self.one_netdash(lines, self.folder / f"one-{turn}", files))
            together.append(self.two_workers(lines, self.folder / f"two-{turn}", files, turn))
        one, two = sorted(alone)[1], sorted(together)[1]
        self.report.note(f"{files:,} files of 10 KiB, one netdash, median of 3", one, "s", 2)
        self.report.note("two workers with the same list, median of 3", two, "s", 2)
        self.report.gate("two workers in wall times of one netdash", two / one, 1.3, "", 2)

    def one_netdash(self, lines: pathlib.Path, folder: pathlib.Path, files: int) -> float:
        folder.mkdir()
        began = time.monotonic()
        subprocess.run(
            [
                self.netdash, "--quiet", "-i", str(lines), "-d", str(folder), "-j", str(DOWNLOADS), "--max-per-host",
                str(DOWNLOADS),
            ], check=True)
        seconds = time.monotonic() - began
        assert len(list(folder.iterdir())) >= files
        return seconds

    def two_workers(self, lines: pathlib.Path, folder: pathlib.Path, files: int, turn: int) -> float:
        folder.mkdir()
        self.fresh(f"downloads{turn}")
        self.add(lines, "two")
        # The slots limit the connections, and each worker has as many as the one netdash; a claimed job counts before it
        # begins and until its end is recorded.
        self.server.run(f"UPDATE netdash.host SET active = {4 * DOWNLOADS}")
        self.server.run("VACUUM ANALYZE netdash.job")
        began = time.monotonic()
        command = [self.fleet, "worker", "--drain", "-j", str(DOWNLOADS), "-d", str(folder)]
        workers = [subprocess.Popen(command, stderr=subprocess.DEVNULL) for _ in range(2)]
        for worker in workers:
            assert worker.wait() == 0, "a worker failed"
        seconds = time.monotonic() - began
        assert self.done() == files
        return seconds


def main() -> int:
    parser = argparse.ArgumentParser(prog="script/bench fleet", description="Measures a queue on one PostgreSQL.")
    names = ["claims", "adding", "pages", "knee", "downloads"]
    parser.add_argument("names", nargs="*", metavar="NAME", help=f"{', '.join(names)}; without one, all of them")
    parser.add_argument("--markdown", action="store_true", help="print a table in Markdown")
    parser.add_argument("--quick", action="store_true", help="a hundredth of the jobs: tries the bench out")
    arguments = parser.parse_args()
    unknown = [name for name in arguments.names if name not in names]
    if unknown:
        parser.error(f"no figure is named {unknown[0]}; there are {', '.join(names)}")
    chosen = arguments.names or names
    folder = pathlib.Path(".build/fleet-bench").resolve()
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    report = Report(arguments.markdown)
    print(f"{os.cpu_count()} cores, load average {os.getloadavg()[0]:.1f}, Linux {os.uname().release}\n")
    try:
        bench = FleetBench(
            folder, pathlib.Path(os.environ["FLEET_PROGRAMS"]), os.environ["NETDASH"], report,
            0.01 if arguments.quick else 1)
        with bench.server:
            for name in chosen:
                if name == "downloads":
                    with Nginx(folder / "nginx") as web:
                        bench.downloads(web)
                else:
                    getattr(bench, name)()
    finally:
        shutil.rmtree(folder, ignore_errors=True)
    report.finish()
    print(f"load average at the end {os.getloadavg()[0]:.1f}; " + (f"{report.missed} gates missed" if report.missed else "every gate met"))
    return 1 if report.missed else 0


if __name__ == "__main__":
    sys.exit(main())
