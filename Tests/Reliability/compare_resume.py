"""Cuts a download, lets it go on against a server that answers in 21 ways, and says what each program ended with.

    script/compare-resume [--tool NAME]... [--case RS-NN]... [--connections N] [--json FILE] [--markdown]

What counts is the exit code and the file under its name: success with another file than the server's is the one thing
that must not happen. NETDASH names the program's binary. Programs that are not installed are left out, by name.
"""

import argparse
import concurrent.futures
import dataclasses
import json
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile

import resume_server

SECONDS = 90  # A run that takes longer counts as one that hangs.


@dataclasses.dataclass
class Tool:
    """A program, as somebody uses it who wants a cut download to go on."""

    name: str
    first: list[str]
    again: list[str]

    def is_there(self) -> bool:
        return shutil.which(self.first[0]) is not None


def tools(connections: int | None = None) -> list[Tool]:
    netdash = os.environ.get("NETDASH", "netdash")
    several = ["-x", str(connections), "-k", "64k"] if connections else []
    return [
        Tool("netdash", [netdash, "--plain", "--retries", "0", *several], [netdash, "--plain", "--retries", "5", *several]),
        Tool("curl", ["curl", "-sSfL", "-o", "file.bin"], ["curl", "-sSfL", "-C", "-", "-o", "file.bin"]),
        Tool("wget", ["wget", "-q", "-t", "1"], ["wget", "-q", "-c"]),
        Tool("wget2", ["wget2", "-q", "--tries=1"], ["wget2", "-q", "-c"]),
        Tool("aria2c", ["aria2c", "-q", "-m", "1"], ["aria2c", "-q", "-c"]),
    ]


@dataclasses.dataclass
class Outcome:
    """What a program ended with."""

    mark: str
    words: str
    exit_code: int | None
    body_bytes: int
    sends_if_range: bool


def judge(case: resume_server.Case, exit_code: int | None, folder: pathlib.Path) -> tuple[str, str]:
    """The mark of an end, and what it means."""
    if exit_code is None:
        return "t", f"not ended after {SECONDS} s"
    path = folder / "file.bin"
    body = path.read_bytes() if path.exists() else None
    others = sorted(entry.name for entry in folder.iterdir() if entry.name != "file.bin" and not entry.name.startswith("."))
    beside = f"; beside it {', '.join(others)}" if others else ""
    if exit_code != 0:
        return "e", f"error {exit_code}{beside}"
    if body is not None and body in case.right:
        return "ok", f"the right file{beside}"
    if body is None:
        return "X", f"success without a file{beside}"
    return "X", f"success with a wrong file of {len(body)} bytes{beside}"


def run(tool: Tool, case: resume_server.Case) -> Outcome:
    server = resume_server.ResumeServer(case)
    with tempfile.TemporaryDirectory(prefix="netdash-resume-") as name:
        folder = pathlib.Path(name) / "work"
        home = pathlib.Path(name) / "home"
        folder.mkdir()
        home.mkdir()
        environment = dict(os.environ, HOME=str(home), LANG="C.UTF-8", XDG_CONFIG_HOME=str(home), XDG_STATE_HOME=str(home))
        for variable in ("http_proxy", "https_proxy", "all_proxy", "HTTP_PROXY", "HTTPS_PROXY", "ALL_PROXY"):
            environment.pop(variable, None)
        log = pathlib.Path(name) / "log"

        def start(words: list[str]) -> int | None:
            with log.open("ab") as output:
                try:
                    return subprocess.run(
                        [*words, server.url], cwd=folder, env=environment, stdin=subprocess.DEVNULL, stdout=output,
                        stderr=output, timeout=SECONDS).returncode
                except subprocess.TimeoutExpired:
                    return None

        try:
            start(tool.first)
            server.is_second = True
            exit_code = start(tool.again)
            mark, words = judge(case, exit_code, folder)
        finally:
            server.close()
        return Outcome(mark, words, exit_code, server.body_bytes, server.sends_if_range)


def expected(case: resume_server.Case) -> str:
    return "ok" if case.right else "e"


def cell(outcome: Outcome) -> str:
    if outcome.mark == "ok":
        return "right"
    if outcome.mark == "X":
        return "**wrong file**" if "file of" in outcome.words else "**no file**"
    return "hangs" if outcome.mark == "t" else "error"


def table(names: list[str], results: dict[str, dict[str, Outcome]], cases: list[resume_server.Case]) -> list[str]:
    """The table in Markdown, with its sums."""
    lines = ["| case | what happens to the cut download | " + " | ".join(names) + " |", "|" + "---|" * (len(names) + 2)]
    for case in cases:
        cells = [cell(results[name][case.key]) for name in names]
        lines.append(f"| {case.key} | {case.title} | " + " | ".join(cells) + " |")
    for title, test in (
        ("success with a wrong file or none", lambda outcome: outcome.mark == "X"),
        ("right, or an error where only that is right", None),
        ("asks with If-Range", lambda outcome: outcome.sends_if_range),
    ):
        sums = []
        for name in names:
            if test is None:
                sums.append(sum(results[name][case.key].mark == expected(case) for case in cases))
            else:
                sums.append(sum(test(results[name][case.key]) for case in cases))
        lines.append(f"| | {title} | " + " | ".join(f"{number} of {len(cases)}" for number in sums) + " |")
    return lines


def main() -> int:
    parser = argparse.ArgumentParser(prog="script/compare-resume", description="Compares how cut downloads go on.")
    parser.add_argument("--tool", action="append", metavar="NAME")
    parser.add_argument("--case", action="append", metavar="RS-NN")
    parser.add_argument("--connections", type=int, metavar="N", help="the connections of netdash for each file")
    parser.add_argument("--json", metavar="FILE")
    parser.add_argument("--markdown", action="store_true", help="print the table alone")
    options = parser.parse_args()
    known = tools(options.connections)
    if unknown := set(options.tool or []) - {tool.name for tool in known}:
        parser.error(f"unknown: {', '.join(sorted(unknown))}; it is one of {', '.join(tool.name for tool in known)}")
    if unknown := set(options.case or []) - {case.key for case in resume_server.CASES}:
        parser.error(f"unknown: {', '.join(sorted(unknown))}")
    chosen = [tool for tool in known if not options.tool or tool.name in options.tool]
    if missing := [tool.name for tool in chosen if not tool.is_there()]:
        print(f"script/compare-resume: not installed, left out: {', '.join(missing)}", file=sys.stderr)
    chosen = [tool for tool in chosen if tool.is_there()]
    cases = [case for case in resume_server.CASES if not options.case or case.key in options.case]
    results: dict[str, dict[str, Outcome]] = {tool.name: {} for tool in chosen}
    with concurrent.futures.ThreadPoolExecutor(4) as pool:
        pending = {pool.submit(run, tool, case): (tool, case) for case in cases for tool in chosen}
        for future in concurrent.futures.as_completed(pending):
            tool, case = pending[future]
            results[tool.name][case.key] = future.result()
    names = [tool.name for tool in chosen]
    if not options.markdown:
        for case in cases:
            for name in names:
                outcome = results[name][case.key]
                flag = "" if outcome.mark == expected(case) else f"  [{outcome.mark}]"
                print(f"{case.key}  {name:8}  {outcome.words}, {outcome.body_bytes} bytes{flag}")
        print()
    print("\n".join(table(names, results, cases)))
    if options.json:
        values = {name: {key: dataclasses.asdict(outcome) for key, outcome in kept.items()} for name, kept in results.items()}
        pathlib.Path(options.json).write_text(json.dumps(values, indent=1) + "\n")
    broken = [case.key for case in cases if "netdash" in results and results["netdash"][case.key].mark != expected(case)]
    if broken:
        print(f"script/compare-resume: netdash is not right in {', '.join(broken)}", file=sys.stderr)
    return 1 if broken else 0


if __name__ == "__main__":
    sys.exit(main())
