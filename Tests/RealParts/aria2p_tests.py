"""Runs aria2p's own tests with aria2c, with no server and with netdash, and compares what passes."""

import argparse
import os
import pathlib
import shutil
import subprocess
import sys
import tarfile
import tempfile
import typing
import xml.etree.ElementTree

from looking import NETDASH, environment, say
from servers import Missing, packages

VERSION = "0.12.3"
MODULES = ["client", "api", "downloads", "options", "stats", "cli", "utils"]
WANTED = [f"aria2p[tui]=={VERSION}", "pytest>=8.2", "pytest-timeout", "pytest-xdist", "fastapi", "uvicorn", "responses",
          "psutil", "griffe", "mkdocstrings"]
# Seconds of a test: a server answers within them, and without one a test waits for them.
PATIENCE = {"aria2c": 60, "none": 5, "netdash": 60}
# netdash has no BitTorrent: these add a torrent or a magnet link.
TORRENTS = {
    "test_client.TestClientClass.test_add_torrent_method", "test_client.TestClientClass.test_add_uri_method",
    "test_cli.test_add_torrent_subcommand", "test_cli.test_add_magnet_subcommand",
    "test_api.test_add_torrent_method", "test_api.test_add_magnet_method",
}


def fetch(programs: pathlib.Path, place: pathlib.Path) -> pathlib.Path:
    """The folder of the release, which has the tests."""
    folder = place / f"aria2p-{VERSION}"
    if not (folder / "tests").exists():
        try:
            subprocess.run([programs / "pip", "download", "--quiet", "--no-deps", "--no-binary", "aria2p", "--dest", place,
                            f"aria2p=={VERSION}"], check=True, capture_output=True, timeout=240)
            with tarfile.open(place / f"aria2p-{VERSION}.tar.gz") as archive:
                archive.extractall(place, filter="data")
        except (OSError, subprocess.SubprocessError, tarfile.TarError) as problem:
            raise Missing(f"the release of aria2p {VERSION} cannot be fetched: {problem}") from problem
    if not (folder / "tests").exists():
        raise Missing(f"the release of aria2p {VERSION} has no tests")
    return folder


def write_shims(folder: pathlib.Path, aria2c: str) -> None:
    """A program aria2c for each kind of run."""
    for name, line in [("aria2c", f'exec {aria2c} "$@"'), ("none", "exit 1"), ("netdash", f'exec {NETDASH} aria2c "$@"')]:
        program = folder / name / "aria2c"
        program.parent.mkdir()
        program.write_text(f"#!/bin/sh\n{line}\n")
        program.chmod(0o755)


class Run(typing.NamedTuple):
    """The tests that passed, and why others did not."""

    passed: set[str]
    reasons: dict[str, str]


def outcome(case: xml.etree.ElementTree.Element) -> str | None:
    """Why a test has not passed; None for one that has, or that says itself that it may fail."""
    for kind in ["failure", "error"]:
        found = case.find(kind)
        if found is not None:
            return (found.get("message") or kind).strip().splitlines()[0][:160]
    return None


def run(kind: str, programs: pathlib.Path, release: pathlib.Path, folder: pathlib.Path) -> Run:
    place = pathlib.Path(tempfile.mkdtemp(prefix=f"{kind}-", dir=folder))
    shutil.copytree(release / "tests", place / "tests")
    (place / "pytest.ini").write_text("[pytest]\n")
    report = place / "report.xml"
    variables = environment(place, {"PATH": f"{folder / kind}:{programs}:{os.environ['PATH']}"})
    # Without a server the tests only wait.
    workers = 8 if kind == "none" else 2
    words = [programs / "python", "-m", "pytest", "-q", "-n", str(workers), f"--timeout={PATIENCE[kind]}",
             f"--junitxml={report}", *[f"tests/test_{name}.py" for name in MODULES]]
    # pytest's own processes may wait for each other for ever where each test ends by its time, as without a server.
    for attempt in range(3):
        try:
            done = subprocess.run(words, cwd=place, env=variables, capture_output=True, text=True, timeout=420, check=False)
            break
        except subprocess.TimeoutExpired as problem:
            say(f"     pytest stood still in the run of {kind}" + (", once more" if attempt < 2 else ""))
            if attempt == 2:
                raise Missing(f"pytest does not end: {problem}") from problem
    if not report.exists():
        raise Missing(f"pytest has not run: {(done.stdout + done.stderr).strip()[-600:]}")
    result = Run(set(), {})
    for case in xml.etree.ElementTree.parse(report).iter("testcase"):
        name = f"{case.get('classname', '').removeprefix('tests.')}.{case.get('name', '')}"
        reason = outcome(case)
        if reason is not None:
            result.reasons[name] = reason
        elif case.find("skipped") is None or case.find("skipped").get("type") == "pytest.xfail":
            result.passed.add(name)
    shutil.rmtree(place, ignore_errors=True)
    return result


def compare(number: int, runs: dict[str, Run], shows_all: bool) -> int:
    """Prints a round; returns how many tests fail with netdash alone that are no test of torrents."""
    deciding = {name for name in runs["aria2c"].passed if name not in runs["none"].passed}
    torrents = deciding & TORRENTS
    lost = sorted(deciding - runs["netdash"].passed)
    say(f"round {number}: {len(runs['aria2c'].passed)} pass with aria2c, {len(runs['none'].passed)} without a server,"
        f" {len(runs['netdash'].passed)} with netdash; of {len(deciding)} that decide netdash passes"
        f" {len(deciding) - len(lost)}, and {len(torrents)} need BitTorrent")
    for name in lost:
        mark = "--  " if name in TORRENTS else "FAIL"
        say(f"     {mark} {name}: {runs['netdash'].reasons.get(name, 'it was skipped')}")
    if shows_all:
        for name in sorted(deciding - set(lost)):
            say(f"     ok   {name}")
    return len([name for name in lost if name not in TORRENTS])


def main() -> None:
    parser = argparse.ArgumentParser(prog="script/aria2p-tests")
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("-v", action="store_true", dest="shows_all")
    options = parser.parse_args()
    aria2c = shutil.which("aria2c")
    if aria2c is None:
        sys.exit("script/aria2p-tests: aria2c is not on this machine")
    if not pathlib.Path(NETDASH).exists():
        sys.exit(f"script/aria2p-tests: {NETDASH} is not there; build it with swift build")
    build = pathlib.Path(".build/real-parts").absolute()
    build.mkdir(parents=True, exist_ok=True)
    failed = 0
    try:
        programs = packages(build, "aria2p", WANTED)
        release = fetch(programs, build)
        with tempfile.TemporaryDirectory(prefix="aria2p-tests-") as name:
            folder = pathlib.Path(name)
            write_shims(folder, aria2c)
            for number in range(1, options.rounds + 1):
                runs = {kind: run(kind, programs, release, folder) for kind in ["aria2c", "none", "netdash"]}
                failed += compare(number, runs, options.shows_all)
    except Missing as missing:
        sys.exit(f"script/aria2p-tests: left out, {missing}")
    say(f"{failed} failed")
    sys.exit(1 if failed else 0)


if __name__ == "__main__":
    main()
