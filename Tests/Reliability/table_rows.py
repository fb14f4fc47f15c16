"""The table of what holds: its rows, what shows each of them, and what is wrong with either."""

import dataclasses
import pathlib
import re

HEADING = ["id", "group", "priority", "fault", "netdash", "evidence"]
PRIORITIES = ("P0", "P1", "P2")
# What stands in the column of evidence beside tests and scripts, with its reason.
REASONS = ("none", "left out", "root")

TEST = re.compile(r"(?P<module>\w+)\.(?P<suite>\w+)/(?P<function>\w+)(?:#(?P<case>.+))?")
SCRIPT = re.compile(r"(?P<path>script/[\w-]+)(?: (?P<words>.+))?")


@dataclasses.dataclass(frozen=True)
class TestName:
    """A test function, as the sources name it."""

    module: str
    suite: str
    function: str

    def __str__(self) -> str:
        return f"{self.module}.{self.suite}/{self.function}"


@dataclasses.dataclass
class Row:
    """One fault, what becomes of it, and what shows that."""

    line: int
    key: str
    group: str
    priority: str
    fault: str
    netdash: str
    evidence: list[str]

    @property
    def tests(self) -> list[TestName]:
        found = (TEST.fullmatch(piece) for piece in self.evidence)
        return [TestName(match["module"], match["suite"], match["function"]) for match in found if match]

    @property
    def cases(self) -> list[tuple[TestName, str]]:
        """Arguments of tests that the row is about, with their tests."""
        found = (TEST.fullmatch(piece) for piece in self.evidence)
        return [
            (TestName(match["module"], match["suite"], match["function"]), match["case"])
            for match in found if match and match["case"]]

    @property
    def scripts(self) -> list[str]:
        return [piece for piece in self.evidence if SCRIPT.fullmatch(piece)]

    def reason(self, word: str) -> str | None:
        """Why nothing shows the row (`none`), nothing has to (`left out`), or what a test needs (`root`)."""
        for piece in self.evidence:
            if piece.startswith(word + ": "):
                return piece[len(word) + 2:]
        return None

    @property
    def is_shown(self) -> bool:
        return bool(self.tests or self.scripts)


def read(path: pathlib.Path) -> tuple[list[Row], list[str]]:
    """The rows of the file, and a sentence on each line that is none."""
    rows, problems = [], []
    lines = path.read_text(encoding="utf-8").split("\n")
    if lines[0].split("\t") != HEADING:
        problems.append(f"{path.name}:1: the columns are not {', '.join(HEADING)}")
    for number, line in enumerate(lines[1:], start=2):
        if not line:
            continue
        cells = line.split("\t")
        if len(cells) != len(HEADING) or not all(cells):
            problems.append(f"{path.name}:{number}: there are not {len(HEADING)} cells with a text in each")
            continue
        *words, evidence = cells
        rows.append(Row(number, *words, evidence=evidence.split("; ")))
    return rows, problems


def check(rows: list[Row], tests: dict[TestName, str], root: pathlib.Path) -> list[str]:
    """What is wrong with the rows: their form, their order, and what they name.

    `tests` has the text of the file in which each test stands.
    """
    problems = []
    for row in rows:
        problems += [f"faults.tsv:{row.line}: {row.key}: {problem}" for problem in problems_of(row, tests, root)]
    return problems + problems_of_order(rows)


def problems_of(row: Row, tests: dict[TestName, str], root: pathlib.Path) -> list[str]:
    found = []
    if not re.fullmatch(r"[A-Z]{2}-\d\d", row.key):
        found.append("a key is two letters, a hyphen and two digits")
    if row.priority not in PRIORITIES:
        found.append(f"the priority is one of {', '.join(PRIORITIES)}")
    for text in (row.fault, row.netdash):
        if text != text.strip() or "|" in text:
            found.append(f"a blank at an end, or a bar, would spoil the document: {text}")
    for piece in row.evidence:
        is_reason = any(piece.startswith(word + ": ") and len(piece) > len(word) + 2 for word in REASONS)
        if not (TEST.fullmatch(piece) or SCRIPT.fullmatch(piece) or is_reason):
            found.append(f"neither a test, nor a script, nor a reason: {piece}")
    for test in row.tests:
        if test not in tests:
            found.append(f"there is no test {test}")
    for test, case in row.cases:
        if test in tests and case not in tests[test]:
            found.append(f"the file of {test} does not have the words {case}")
    for script in row.scripts:
        if not (root / script.split(" ")[0]).is_file():
            found.append(f"there is no {script.split(' ')[0]}")
    if row.reason("left out") and row.is_shown:
        found.append("what is left out is not shown; write none: for what is missing")
    return found


def problems_of_order(rows: list[Row]) -> list[str]:
    """Keys that stand twice or behind a higher one, and groups in several places."""
    found, groups = [], []
    for before, row in zip([None, *rows], rows):
        if before is None or before.group != row.group:
            if row.group in groups:
                found.append(f"faults.tsv:{row.line}: {row.key}: the group {row.group} began before")
            groups.append(row.group)
        elif before.key >= row.key:
            found.append(f"faults.tsv:{row.line}: {row.key} stands behind {before.key}")
    return found
