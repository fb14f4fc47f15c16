"""Results that are kept in git, and the tables and the chart of docs/PERFORMANCE.md, which are made of them.

Each scenario has a file in `Benchmarks/results/`: when and on what it was measured, every counted run, and the gates with
their limits. What compares programs is a ratio, which says the same on another machine; seconds do not.
"""

import datetime
import json
import os
import pathlib
from collections.abc import Callable

from support.chart import draw
from support.reasons import reason

ROOT = pathlib.Path(__file__).resolve().parents[2]
RESULTS = ROOT / "Benchmarks" / "results"
DOCUMENT = ROOT / "docs" / "PERFORMANCE.md"
CHART = ROOT / "docs" / "performance.svg"
BEGIN, END = "<!-- script/bench --draw: begin -->", "<!-- script/bench --draw: end -->"


def keep(result: dict, machine: str) -> None:
    """Keeps what a scenario measured, if it measured something."""
    if not result["gates"] or "failure" in result:
        return
    RESULTS.mkdir(exist_ok=True)
    kept = {"date": datetime.date.today().isoformat(), "machine": machine, **result}
    (RESULTS / f"{result['scenario']}.json").write_text(compact(kept))


def compact(value: dict) -> str:
    """JSON with one line for each member of a list, so that differences can be read."""
    lines = []
    for key, member in value.items():
        if isinstance(member, list):
            rows = ",\n".join(f"    {json.dumps(row)}" for row in member)
            lines.append(f"  {json.dumps(key)}: [\n{rows}\n  ]" if member else f"  {json.dumps(key)}: []")
        else:
            lines.append(f"  {json.dumps(key)}: {json.dumps(member)}")
    return "{\n" + ",\n".join(lines) + "\n}\n"


def results() -> list[dict]:
    return [json.loads(path.read_text()) for path in sorted(RESULTS.glob("*.json"))]


def tables(kept: list[dict]) -> str:
    """What is missed, with the reason, then what is met."""
    gates = [(result, gate) for result in kept for gate in result["gates"]]
    missed = [(result, gate) for result, gate in gates if gate["value"] > gate["limit"]]
    met = [(result, gate) for result, gate in gates if gate["value"] <= gate["limit"]]
    return "\n".join([
        f"### Missed: {len(missed)} of {len(gates)}", "",
        "| scenario | what is measured | target | figure | why |", "|---|---|---:|---:|---|",
        *rows(missed, lambda result, gate: reason(result["scenario"], gate["title"])), "",
        f"### Met: {len(met)} of {len(gates)}", "",
        "| scenario | what is measured | target | figure | on |", "|---|---|---:|---:|---|",
        *rows(met, lambda result, gate: result["date"])])


def rows(gates: list[tuple[dict, dict]], last: Callable[[dict, dict], str]) -> list[str]:
    """A line for each gate; the scenario's name, and a last cell that repeats, stand in the first line alone."""
    lines, earlier, said = [], None, None
    for result, gate in gates:
        unit = f" {gate['unit']}" if gate["unit"] else ""
        name = f"`{result['scenario']}`" if result is not earlier else ""
        words = last(result, gate)
        lines.append(
            f"| {name} | {gate['title']} | {gate['limit']:.4g}{unit} | {gate['value']:.3g}{unit} "
            f"| {'' if result is earlier and words == said else words} |")
        earlier, said = result, words
    return lines


def documents() -> dict[pathlib.Path, str]:
    """What tables and chart have to say."""
    kept = results()
    before, _, rest = DOCUMENT.read_text().partition(BEGIN)
    after = rest.partition(END)[2]
    return {DOCUMENT: f"{before}{BEGIN}\n{tables(kept)}\n{END}{after}", CHART: draw(kept)}


def write() -> None:
    for path, text in documents().items():
        path.write_text(text)


def stale() -> list[str]:
    """Documents that say something else than the results."""
    return [
        os.path.relpath(path, ROOT) for path, text in documents().items() if not path.exists() or path.read_text() != text]
