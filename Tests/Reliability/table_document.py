"""Faults.md: the comparison with other programs, the table of faults, and its sums; of both a summary for docs/RELIABILITY.md."""

from table_rows import Row, SCRIPT, TEST

INTRODUCTION = """# Faults

Every fault that the promise in [docs/RELIABILITY.md](../../docs/RELIABILITY.md) covers, what netdash does, and the test that shows
it. `script/reliability` writes this file from `faults.tsv` beside it.

P0 is lost or wrong data, a leak of secrets, or a file outside the chosen directory; P1 is a transfer that does not finish, or not in
time; P2 is the rest. A row whose test needs root, a mount or a namespace says so; such a test is skipped where that is refused.
"Not shown" means that no test would fail without it; the row then says what the code does today.
"""

COMPARISON = """## Cut downloads, beside other programs

Each program loses its connection after 400,000 of 1,048,576 bytes and is started again, after the file or the server has changed.
"""

MISSING_COMPARISON = "This version was written without a run. `script/reliability` puts the table here."

# The lines of docs/RELIABILITY.md between which the summary is.
BEGIN, END = "<!-- script/reliability: begin -->", "<!-- script/reliability: end -->"


def document(rows: list[Row], results: dict[str, str], comparison: list[str]) -> str:
    """The whole text. Results are those of pieces of evidence, by their words; without a run there are none."""
    parts = [INTRODUCTION, COMPARISON, "\n".join(comparison or [MISSING_COMPARISON]) + "\n"]
    groups: dict[str, list[Row]] = {}
    for row in rows:
        groups.setdefault(row.group, []).append(row)
    for group, members in groups.items():
        parts.append(f"## {group}\n\n{table(members, results)}")
    parts.append(sums(rows, results))
    return "\n".join(parts)


def table(rows: list[Row], results: dict[str, str]) -> str:
    lines = ["| id | | what goes wrong | what netdash does | shown by | result |", "|---|---|---|---|---|---|"]
    for row in rows:
        cells = [row.key, row.priority, row.fault, row.netdash, shown_by(row), result_of(row, results)]
        lines.append("| " + " | ".join(cells) + " |")
    return "\n".join(lines) + "\n"


def shown_by(row: Row) -> str:
    pieces = []
    for piece in row.evidence:
        if match := TEST.fullmatch(piece):
            case = f" ({match['case']})" if match["case"] else ""
            pieces.append(f"`{match['suite']}/{match['function']}`{case}")
        elif SCRIPT.fullmatch(piece):
            pieces.append(f"`{piece}`")
    for word, title in (("none", "not shown"), ("left out", "left out"), ("root", "needs root")):
        if reason := row.reason(word):
            pieces.append(f"{title}: {reason}")
    return ", ".join(pieces)


def result_of(row: Row, results: dict[str, str]) -> str:
    """The worst of what the row's tests and scripts ended with."""
    ends = [results[str(piece)] for piece in [*row.tests, *row.scripts] if str(piece) in results]
    for end in ("failed", "did not run", "skipped", "passed"):
        if end in ends:
            return f"**{end}**" if end == "failed" else end
    return ""


def sums(rows: list[Row], results: dict[str, str]) -> str:
    partly = [row for row in rows if row.is_shown and row.reason("none")]
    absent = [row for row in rows if not row.is_shown and row.reason("none")]
    left = [row for row in rows if row.reason("left out")]
    lines = ["## Sums", "", *counts_of(rows)]
    for title, chosen, word in (
        ("Shown in part", partly, "none"), ("Not shown", absent, "none"), ("Left out", left, "left out"),
    ):
        if chosen:
            lines += ["", f"### {title}", "", "| id | | reason |", "|---|---|---|"]
            lines += [f"| {row.key} | {row.priority} | {row.reason(word)} |" for row in chosen]
    if results:
        lines += ["", verdict(rows, results)]
    return "\n".join(lines) + "\n"


def counts_of(rows: list[Row]) -> list[str]:
    """How many rows of each priority are shown, and by what, as a table."""
    shown = [row for row in rows if row.is_shown and not row.reason("none")]
    lines = ["| rows | P0 | P1 | P2 | all |", "|---|---:|---:|---:|---:|"]
    for title, chosen in (
        ("shown by a test", [row for row in shown if row.tests]),
        ("shown by a script alone", [row for row in shown if not row.tests]),
        ("shown in part", [row for row in rows if row.is_shown and row.reason("none")]),
        ("not shown", [row for row in rows if not row.is_shown and row.reason("none")]),
        ("left to root", [
            row for row in rows if not row.is_shown and not row.reason("none") and row.reason("root")]),
        ("left out, because it is not built", [row for row in rows if row.reason("left out")]),
        ("all", rows),
    ):
        if chosen:
            counts = [sum(row.priority == priority for row in chosen) for priority in ("P0", "P1", "P2")]
            lines.append(f"| {title} | " + " | ".join(str(count) for count in [*counts, len(chosen)]) + " |")
    return lines


def verdict(rows: list[Row], results: dict[str, str]) -> str:
    ends = [result_of(row, results) for row in rows]
    kinds = [end for end in ("passed", "**failed**", "skipped", "did not run") if end in ends]
    counts = [f"{ends.count(end)} {end.strip('*')}" for end in kinds]
    return f"Of the rows that a run can judge: {', '.join(counts)}."


def summarized(page: str, rows: list[Row], results: dict[str, str], comparison: list[str]) -> str:
    """docs/RELIABILITY.md with the sums of a run; unchanged without one."""
    if not results or not comparison:
        return page
    before, begin, rest = page.partition(BEGIN)
    after = rest.partition(END)[2]
    heading, rule, *cases = comparison
    tables = [
        *("|" + line.split("|", 2)[2] for line in (heading, rule, *cases[-3:])), "", *counts_of(rows), "",
        verdict(rows, results)]
    return "\n".join([before + begin, *tables, END]) + after
