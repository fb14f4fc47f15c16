"""What every scenario gets: files, rounds, tables, and gates that are met or missed."""

import hashlib
import os
import pathlib
import shutil
import statistics
from collections.abc import Callable

from support.measure import Sample, run, settle
from support.nginx import Nginx

MIB = 1 << 20
FIELDS = {"wall": "wall time", "cpu": "CPU time", "memory": "peak memory"}
"""What is measured of each run, in seconds and MiB, and its name."""


class Contender:
    """A command to measure, and how to tell that it did its work."""

    def __init__(self, name: str, command: list[str], prepare: Callable[[], None], verify: Callable[[], None]):
        self.name = name
        self.command = command
        self.prepare = prepare
        """Removes what the last run left; not measured."""
        self.verify = verify
        """Raises AssertionError when the bytes are not right; not measured."""
        self.samples: list[Sample] = []

    def median(self, field: str) -> float:
        return statistics.median(getattr(sample, field) for sample in self.samples)


class Bench:
    def __init__(
        self, folder: pathlib.Path, server: Nginx, netdash: str, rounds: int, is_quick: bool, markdown: bool
    ):
        self.folder = folder
        self.server = server
        self.netdash = netdash
        self.rounds = rounds
        self.is_quick = is_quick
        self.markdown = markdown
        self.failures = 0
        self.result: dict = {}
        """What the scenario under way has measured so far, see `report`."""

    def begin(self, name: str, title: str) -> None:
        headline, _, rest = title.strip().partition("\n")
        self.result = {"scenario": name, "title": headline, "rounds": self.rounds, "measured": [], "gates": []}
        print(f"{'### ' if self.markdown else '== '}{name}: {headline}", flush=True)
        if rest.strip():
            print(rest.strip() + "\n", flush=True)

    def size(self, mebibytes: int) -> int:
        """Bytes of a file: what is asked for, or a sixteenth when the bench is only tried out."""
        return mebibytes * MIB // (16 if self.is_quick else 1)

    def make_file(self, path: pathlib.Path, size: int) -> pathlib.Path:
        """A file of random bytes, made once."""
        if not path.exists() or path.stat().st_size != size:
            path.parent.mkdir(parents=True, exist_ok=True)
            with path.open("wb") as file:
                for start in range(0, size, 8 * MIB):
                    file.write(os.urandom(min(8 * MIB, size - start)))
        return path

    def fresh_folder(self, path: pathlib.Path) -> None:
        shutil.rmtree(path, ignore_errors=True)
        path.mkdir(parents=True)

    # Rounds

    def measure(self, contenders: list[Contender], memory: int) -> None:
        """Runs everybody once without counting, then in turns, so that a slow minute hits all alike."""
        for round_number in range(self.rounds + 1):
            for contender in contenders:
                contender.prepare()
                settle(memory)
                sample = run(contender.command, str(self.folder / "command.log"))
                contender.verify()
                if round_number > 0:
                    contender.samples.append(sample)
        self._print_table(contenders)
        for contender in contenders:
            contender.prepare()
            self.result["measured"].append({
                "name": contender.name,
                **{field: [round(getattr(sample, field), 3) for sample in contender.samples] for field in FIELDS},
            })

    def compare(self, field: str, first: Contender, other: Contender, limit: float) -> None:
        """A promise: the ratio of two medians is at most the limit."""
        self.gate(f"{FIELDS[field]} against {other.name}", quotient(first, other, field), limit, kind="ratio")

    def gate(self, title: str, value: float, limit: float, unit: str = "", kind: str = "figure") -> None:
        """A promise: the value is at most the limit."""
        met = value <= limit
        self.failures += 0 if met else 1
        self.result["gates"].append(
            {"title": title, "kind": kind, "value": float(f"{value:.4g}"), "limit": limit, "unit": unit.strip()})
        print(f"{'- ' if self.markdown else '   '}{title}: {value:.4g}{unit}, "
              f"at most {limit:.4g}{unit}: {'met' if met else 'MISSED'}", flush=True)

    def fail(self, reason: str) -> None:
        self.failures += 1
        self.result["failure"] = reason
        print(f"{'- ' if self.markdown else '   '}FAILED: {reason}\n", flush=True)

    def note(self, text: str) -> None:
        print(f"{'- ' if self.markdown else '   '}{text}", flush=True)

    def end(self) -> None:
        print(flush=True)

    # Tables

    def _print_table(self, contenders: list[Contender]) -> None:
        first = contenders[0]
        header = ["", "wall s (min .. max)", "CPU s (min .. max)", "peak MiB", "wall ratio", "CPU ratio"]
        rows = [header]
        for contender in contenders:
            rows.append([
                contender.name, spread(contender, "wall"), spread(contender, "cpu"),
                f"{contender.median('memory'):.1f}",
                ratio(first, contender, "wall"), ratio(first, contender, "cpu"),
            ])
        print_rows(rows, self.markdown)
        print(f"Medians of {self.rounds}; a ratio is {first.name} divided by that row.\n", flush=True)


def spread(contender: Contender, field: str) -> str:
    values = [getattr(sample, field) for sample in contender.samples]
    return f"{statistics.median(values):.3f} ({min(values):.3f} .. {max(values):.3f})"


def quotient(first: Contender, other: Contender, field: str) -> float:
    return first.median(field) / max(other.median(field), 0.001)


def ratio(first: Contender, other: Contender, field: str) -> str:
    return "" if first is other else f"{quotient(first, other, field):.2f}"


def print_rows(rows: list[list[str]], markdown: bool) -> None:
    if markdown:
        print("| " + " | ".join(rows[0]) + " |\n|" + "---|" * len(rows[0]))
        for row in rows[1:]:
            print("| " + " | ".join(row) + " |")
        print()
        return
    widths = [max(len(row[column]) for row in rows) for column in range(len(rows[0]))]
    for row in rows:
        print("   " + "  ".join(cell.ljust(width) for cell, width in zip(row, widths)).rstrip())


def sha256(path: pathlib.Path) -> str:
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def expect_same(actual: pathlib.Path, expected: pathlib.Path) -> None:
    assert actual.exists(), f"{actual} is missing"
    assert actual.stat().st_size == expected.stat().st_size, f"{actual} has {actual.stat().st_size} bytes"
    assert sha256(actual) == sha256(expected), f"{actual} has the right length and wrong bytes"
