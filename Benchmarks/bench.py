"""Runs the benchmark scenarios. Start it through script/bench, which sets the machine up and names the binary."""

import argparse
import importlib
import os
import pathlib
import pkgutil
import shutil
import subprocess
import sys

import scenarios
from support import report
from support.bench import Bench
from support.nginx import Nginx


def scenario_names() -> list[str]:
    return sorted(module.name for module in pkgutil.iter_modules(scenarios.__path__))


def load(name: str):
    return importlib.import_module(f"scenarios.{name}")


def parse_arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="script/bench", description="Measures netdash against its peers.")
    parser.add_argument("names", nargs="*", metavar="NAME", help="a scenario; without one, all of them")
    parser.add_argument("--list", action="store_true", help="list the scenarios")
    parser.add_argument("--markdown", action="store_true", help="print tables in Markdown")
    parser.add_argument("--record", action="store_true", help="keep the results, and draw them in docs/PERFORMANCE.md")
    parser.add_argument("--draw", action="store_true", help="measure nothing, draw the results that are kept")
    parser.add_argument("--check", action="store_true", help="measure nothing, see that what is drawn is what was kept")
    parser.add_argument("--rounds", type=int, default=5, metavar="N", help="counted rounds (5)")
    parser.add_argument("--quick", action="store_true", help="small files, two rounds: tries the bench out")
    arguments = parser.parse_args()
    unknown = [name for name in arguments.names if name not in scenario_names()]
    if unknown:
        parser.error(f"no scenario is named {unknown[0]}; there are {', '.join(scenario_names())}")
    if arguments.record and arguments.quick:
        parser.error("--quick measures nothing that is worth keeping")
    return arguments


def describe_machine(netdash: str) -> str:
    versions = []
    for command in ([netdash, "--version"], ["curl", "--version"], ["aria2c", "--version"], ["wget2", "--version"]):
        result = subprocess.run(command, capture_output=True, text=True, check=False)
        versions.append(" ".join((result.stdout.splitlines() or ["?"])[0].split(" (")[0].split()[:3]))
    result = subprocess.run(["nginx", "-v"], capture_output=True, text=True, check=False)
    versions.append(result.stderr.strip().removeprefix("nginx version: "))
    return f"{os.cpu_count()} cores, Linux {os.uname().release}; {'; '.join(versions)}"


def draw_or_check(arguments: argparse.Namespace) -> int:
    if arguments.draw:
        report.write()
    stale = report.stale()
    if stale:
        print(f"{', '.join(stale)}: not what the results say; script/bench --draw makes it")
    return 1 if stale else 0


def main() -> int:
    arguments = parse_arguments()
    if arguments.list:
        for name in scenario_names():
            print(f"{name:24} {(load(name).__doc__ or '').splitlines()[0]}")
        return 0
    if arguments.draw or arguments.check:
        return draw_or_check(arguments)
    # Below the build folder, because it is on the disk and nobody keeps anything in it.
    folder = pathlib.Path(".build/bench").resolve()
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    netdash = os.environ["NETDASH"]
    machine = describe_machine(netdash)
    print(machine + "\n")
    failures = 0
    try:
        with Nginx(folder / "nginx") as server:
            bench = Bench(
                folder, server, netdash, rounds=2 if arguments.quick else arguments.rounds,
                is_quick=arguments.quick, markdown=arguments.markdown)
            for name in arguments.names or scenario_names():
                bench.begin(name, load(name).__doc__ or name)
                try:
                    # Nobody's saved session and settings, and no other scenario's.
                    os.environ["XDG_STATE_HOME"] = str(folder / "state" / name)
                    os.environ["XDG_CONFIG_HOME"] = str(folder / "config" / name)
                    load(name).run(bench)
                except AssertionError as error:
                    bench.fail(str(error))
                if arguments.record:
                    report.keep(bench.result, machine)
            failures = bench.failures
    finally:
        shutil.rmtree(folder, ignore_errors=True)
    if arguments.record:
        report.write()
    print(f"{failures} gates missed" if failures else "every gate met")
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
