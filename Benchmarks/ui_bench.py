"""Measures the dashboard against its gates. Start it through script/bench-ui, which builds and names the binary."""

import argparse
import os
import pathlib
import shutil
import sys

from ui import rivals
from ui.gates import Report
from ui.measures import Measures
from ui.server import PacedServer
from ui.service import ServiceMeasures

GATES = {
    "idle": Measures.measure_idle,
    "moving": Measures.measure_moving,
    "keys": Measures.measure_keys,
    "paint": Measures.measure_first_paint,
    "size": Measures.measure_memory_and_size,
    "service": lambda measures: ServiceMeasures(measures).measure(),
}


def parse_arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="script/bench-ui", description="Measures the dashboard on a terminal.")
    parser.add_argument("names", nargs="*", metavar="NAME", help=f"of {', '.join(GATES)}, rivals; without one, all")
    parser.add_argument("--markdown", action="store_true", help="print tables in Markdown")
    parser.add_argument("--quick", action="store_true", help="5 s instead of 20 s, and fewer key presses")
    arguments = parser.parse_args()
    for name in arguments.names:
        if name not in [*GATES, "rivals"]:
            parser.error(f"nothing is named {name}; there are {', '.join(GATES)}, rivals")
    return arguments


def main() -> int:
    arguments = parse_arguments()
    names = arguments.names or [*GATES, "rivals"]
    folder = pathlib.Path(".build/bench-ui").resolve()
    shutil.rmtree(folder, ignore_errors=True)
    (folder / "files").mkdir(parents=True)
    (folder / "home").mkdir()
    report = Report(arguments.markdown)
    load = os.getloadavg()[0]
    print(f"{os.cpu_count()} cores, Linux {os.uname().release}, load {load:.1f} before the first measurement\n", flush=True)
    try:
        with PacedServer() as server:
            measures = Measures(os.environ["NETDASH"], folder, server, report, 5 if arguments.quick else 20)
            for name in names:
                if name != "rivals":
                    GATES[name](measures)
            report.finish()
            if "rivals" in names:
                rivals.compare(measures, arguments.markdown)
    finally:
        shutil.rmtree(folder, ignore_errors=True)
    print(f"{report.missed} gates missed" if report.missed else "every gate met")
    return 1 if report.missed else 0


if __name__ == "__main__":
    sys.exit(main())
