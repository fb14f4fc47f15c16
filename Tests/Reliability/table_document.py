"""docs/RELIABILITY.md: the promise, the comparison with other programs, the table of faults, and its sums."""

from table_rows import Row, SCRIPT, TEST

INTRODUCTION = """# Reliability

What netdash promises: no fault of a server, a network, a disk or a crash makes it end with a wrong file and say
success, and nothing that was queued is lost. This is the list of such faults, what becomes of each, and the test that
shows it. `script/reliability` wrote it; the table that it reads is `Tests/Reliability/faults.tsv`.

| command | what it does |
|---|---|
| `script/reliability` | runs every test of this table and the comparison, and writes this document |
| `script/reliability --table` | writes it without running anything, so the column of results stays empty |
| `script/reliability --check` | looks whether every row is well formed and every test that it names exists |
| `script/reliability --long` | runs the scripts of the table too: crashes, faults and long loads |
| `script/compare-resume` | cuts downloads and lets netdash, curl, wget, wget2 and aria2 go on with them |
| `script/crash` | kills netdash at each of its writing system calls, or fails them there; needs strace |
| `script/power-cut` | cuts the power of an ext4 file system at random moments; needs root and loop devices |
| `script/soak` | ten minutes of faults five times a second, with a kill every 20 seconds |
| `script/fuzz` | gives every parser of foreign text random texts |

P0 is lost or wrong data, a leak of secrets, or a file in a foreign place; P1 is a transfer that does not get to its
end, or not in time; P2 is the rest. A row whose test needs root, a mount or a namespace says so; such a test skips
itself where that is refused, and its result is then "skipped". "Not shown" means that no test would fail without it;
what the row says is then what the code does today.
"""

COMPARISON = """## Cut downloads, beside other programs

Each program loses its connection after 400,000 of 1,048,576 bytes and is started again. Meanwhile the server has
changed, or it misbehaves.
"""

MISSING_COMPARISON = "This version of the document was written without a run. `script/reliability` puts the table here."


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
    whole = [row for row in rows if row.is_shown and not row.reason("none")]
    partly = [row for row in rows if row.is_shown and row.reason("none")]
    absent = [row for row in rows if not row.is_shown and row.reason("none")]
    rooted = [row for row in rows if not row.is_shown and not row.reason("none") and row.reason("root")]
    left = [row for row in rows if row.reason("left out")]
    lines = ["## Sums", "", "| rows | P0 | P1 | P2 | all |", "|---|---:|---:|---:|---:|"]
    for title, chosen in (
        ("shown by a test", [row for row in whole if row.tests]),
        ("shown by a script alone", [row for row in whole if not row.tests]),
        ("shown in part", partly),
        ("not shown", absent),
        ("left to root", rooted),
        ("left out, because it is not built", left),
        ("all", rows),
    ):
        if chosen:
            counts = [sum(row.priority == priority for row in chosen) for priority in ("P0", "P1", "P2")]
            lines.append(f"| {title} | " + " | ".join(str(count) for count in [*counts, len(chosen)]) + " |")
    for title, chosen, word in (
        ("Shown in part", partly, "none"), ("Not shown", absent, "none"), ("Left out", left, "left out"),
    ):
        if chosen:
            lines += ["", f"### {title}", "", "| id | | reason |", "|---|---|---|"]
            lines += [f"| {row.key} | {row.priority} | {row.reason(word)} |" for row in chosen]
    if results:
        ends = [result_of(row, results) for row in rows]
        kinds = [end for end in ("passed", "**failed**", "skipped", "did not run") if end in ends]
        counts = [f"{ends.count(end)} {end.strip('*')}" for end in kinds]
        lines += ["", f"Of the rows that a run can judge: {', '.join(counts)}."]
    return "\n".join(lines) + "\n"
