"""Writes Faults.md and the sums in docs/RELIABILITY.md from the table of faults and a run of the tests that it names.

Start it by script/reliability, which says how.
"""

import argparse
import json
import pathlib
import subprocess
import sys
import tempfile

import compare_resume
import resume_server
import table_document
import table_rows
import table_tests

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
COMPARE = "script/compare-resume"


def parse_arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="script/reliability", description="Shows what holds against which fault.")
    parser.add_argument("--check", action="store_true", help="only check the table")
    parser.add_argument("--table", action="store_true", help="write the document without running anything")
    parser.add_argument("--long", action="store_true", help="run the other scripts that the table names, too")
    arguments = parser.parse_args()
    if arguments.check + arguments.table + arguments.long > 1:
        parser.error("--check, --table and --long exclude each other")
    return arguments


def compare() -> tuple[list[str], dict[str, str]]:
    """The table beside the other programs in Markdown, and how each case ended for netdash."""
    with tempfile.TemporaryDirectory(prefix="netdash-table-") as folder:
        file = pathlib.Path(folder) / "results.json"
        run = subprocess.run(
            [str(ROOT / COMPARE), "--markdown", "--json", str(file)], stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
            encoding="utf-8")
        outcomes = json.loads(file.read_text(encoding="utf-8")).get("netdash", {}) if file.exists() else {}
    print(run.stdout, flush=True)
    results = {}
    for case in resume_server.CASES:
        if outcome := outcomes.get(case.key):
            is_right = outcome["mark"] == compare_resume.expected(case)
            results[f"{COMPARE} --case {case.key}"] = "passed" if is_right else "failed"
    return [line for line in run.stdout.split("\n") if line], results


def run_scripts(rows: list[table_rows.Row]) -> dict[str, str]:
    """How the other scripts of the table ended, each run once for each way in which the table writes it."""
    results = {}
    for words in sorted({script for row in rows for script in row.scripts if not script.startswith(COMPARE)}):
        print(f"script/reliability: {words}", flush=True)
        run = subprocess.run(words.split(" "), cwd=ROOT, stdin=subprocess.DEVNULL)
        results[words] = "passed" if run.returncode == 0 else "failed"
    return results


def run_all(
    rows: list[table_rows.Row], sources: table_tests.Sources, is_long: bool
) -> tuple[list[str], dict[str, str]]:
    """The comparison, and how each test and script that was run ended, by its words in the table."""
    tests = list(dict.fromkeys(test for row in rows for test in row.tests))
    results = {str(test): end for test, end in table_tests.run(ROOT, tests, sources).items()}
    comparison, ends = compare()
    results |= ends
    if is_long:
        results |= run_scripts(rows)
    return comparison, results


def main() -> int:
    arguments = parse_arguments()
    rows, problems = table_rows.read(ROOT / "Tests/Reliability/faults.tsv")
    sources = table_tests.read_sources(ROOT / "Tests")
    problems += table_rows.check(rows, sources.texts, ROOT)
    for problem in problems:
        print(f"script/reliability: {problem}", file=sys.stderr)
    if problems:
        return 1
    if arguments.check:
        tests = {test for row in rows for test in row.tests}
        print(f"script/reliability: {len(rows)} rows name {len(tests)} tests, and all of them are there")
        return 0
    comparison, results = ([], {}) if arguments.table else run_all(rows, sources, arguments.long)
    text = table_document.document(rows, results, comparison)
    (ROOT / "Tests/Reliability/Faults.md").write_text(text, encoding="utf-8")
    page = ROOT / "docs/RELIABILITY.md"
    page.write_text(
        table_document.summarized(page.read_text(encoding="utf-8"), rows, results, comparison), encoding="utf-8")
    wrong = sorted(words for words, end in results.items() if end in ("failed", "did not run"))
    for words in wrong:
        print(f"script/reliability: {results[words]}: {words}", file=sys.stderr)
    print(f"script/reliability: {len(rows)} rows are in Tests/Reliability/Faults.md, {len(wrong)} of what was run failed")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
