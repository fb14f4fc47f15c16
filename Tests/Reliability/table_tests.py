"""The tests that the sources have, and how a run of some of them ended."""

import dataclasses
import pathlib
import re
import subprocess

from table_rows import TestName

SUITE = re.compile(
    r'^(?:@Suite(?P<arguments>\((?:[^()"]|"(?:[^"\\]|\\.)*"|\((?:[^()]|\([^()]*\))*\))*\))?\s*)?'
    r"(?:(?:public|package|internal|private|fileprivate|final)\s+)*"
    r"(?P<kind>struct|class|actor|enum|extension)\s+(?P<name>\w+)", re.MULTILINE)
FUNCTION = re.compile(r"@Test\b(?P<before>(?:(?!@Test\b|\bfunc\b)[\s\S])*)\bfunc\s+`?(?P<name>\w+)")
TEXT = re.compile(r'\(\s*"((?:[^"\\]|\\.)*)"')


@dataclasses.dataclass
class Sources:
    """What the test modules declare."""

    texts: dict[TestName, str]
    # The names under which a run tells of suites and tests.
    suites: dict[tuple[str, str], str]
    displays: dict[TestName, str]


def read_sources(root: pathlib.Path) -> Sources:
    """Reads every Swift file below the folder of the tests; a module is a folder in it."""
    sources = Sources({}, {}, {})
    for path in sorted(root.glob("*Tests/**/*.swift")):
        text = path.read_text(encoding="utf-8")
        module = path.relative_to(root).parts[0]
        suites = list(SUITE.finditer(text))
        for suite in suites:
            if suite["kind"] != "extension":
                shown = TEXT.match(suite["arguments"] or "")
                sources.suites[module, suite["name"]] = unescaped(shown[1]) if shown else suite["name"]
        for function in FUNCTION.finditer(text):
            around = [suite for suite in suites if suite.start() < function.start()]
            if not around:
                continue
            test = TestName(module, around[-1]["name"], function["name"])
            sources.texts[test] = text
            shown = TEXT.match(function["before"])
            sources.displays[test] = unescaped(shown[1]) if shown else function["name"]
    return sources


def unescaped(text: str) -> str:
    """A literal of the sources without the backslashes before quotes and backslashes."""
    return re.sub(r'\\(["\\])', r"\1", text)


# Lines of a run. Names that somebody wrote stand in quotes, others end with their arguments. A line may stand behind
# what something else wrote without an end.
NAME = r'(?:"(?P<shown>.*)"|(?P<plain>\w+)(?:\([^)]*\))?)'
RUN_SUITE = re.compile(rf"\S +Suite {NAME} started\.$")
RUN_SUITE_SKIPPED = re.compile(rf"\S +Suite {NAME} skipped(?:\.|: .*)$")
RUN_TEST = re.compile(rf"\S +Test {NAME}(?: with \d+ test cases?)? (?P<end>passed|failed) after [\d.]+ seconds.*$")
RUN_SKIPPED = re.compile(rf"\S +Test {NAME} (?P<end>skipped)(?:\.|: .*)$")


def read_run(lines: list[str], tests: list[TestName], sources: Sources) -> dict[TestName, str]:
    """How each of the tests ended: passed, failed, skipped, or did not run. One test runs after another."""
    named: dict[str, list[TestName]] = {}
    for test, display in sources.displays.items():
        named.setdefault(display, []).append(test)
    results = {test: "did not run" for test in tests}
    suite = ""
    for line in lines:
        if match := RUN_SUITE.search(line):
            suite = match["shown"] or match["plain"]
        elif match := RUN_SUITE_SKIPPED.search(line):
            skipped = match["shown"] or match["plain"]
            results |= {test: "skipped" for test in tests if sources.suites.get((test.module, test.suite)) == skipped}
        elif match := RUN_TEST.search(line) or RUN_SKIPPED.search(line):
            found = named.get(match["shown"] or match["plain"], [])
            if len(found) > 1:  # Names that are not unique need their suites.
                found = [test for test in found if sources.suites.get((test.module, test.suite)) == suite]
            for test in found:
                if test in results and results[test] != "failed":
                    results[test] = match["end"]
    return results


def filter_of(tests: list[TestName]) -> str:
    """A regular expression that finds these tests and no others."""
    suites: dict[str, set[str]] = {}
    for test in tests:
        suites.setdefault(rf"{test.module}\.{test.suite}", set()).add(test.function)
    parts = [rf"{suite}/(?:{'|'.join(sorted(functions))})\(" for suite, functions in sorted(suites.items())]
    return f"^(?:{'|'.join(parts)})"


def run(root: pathlib.Path, tests: list[TestName], sources: Sources) -> dict[TestName, str]:
    """Builds and runs the tests, showing what they say."""
    check = ["--explicit-target-dependency-import-check", "error"]
    subprocess.run(["swift", "build", *check, "--build-tests"], cwd=root, check=True, stdin=subprocess.DEVNULL)
    words = ["swift", "test", "--skip-build", "--ignore-lock", "--disable-xctest", "--no-parallel"]
    words += ["--filter", filter_of(tests)]
    lines = []
    with subprocess.Popen(
            words, cwd=root, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
            encoding="utf-8", errors="replace") as process:
        for line in process.stdout or ():
            print(line, end="", flush=True)
            lines.append(line.rstrip("\n"))
    return read_run(lines, tests, sources)
