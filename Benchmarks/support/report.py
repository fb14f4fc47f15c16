"""Results that are kept in git, and the table and the chart of docs/PERFORMANCE.md, which are made of them.

Each scenario has a file in `Benchmarks/results/`: when and on what it was measured, every counted run, and the gates with
their limits. What compares programs is a ratio, which says the same on another machine; seconds do not.
"""

import datetime
import json
import os
import pathlib

from support.chart import draw

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


def table(kept: list[dict]) -> str:
    rows = ["| scenario | what is promised | measured | limit | | on |", "|---|---|---:|---:|---|---|"]
    for result in kept:
        name = f"`{result['scenario']}`: {result['title'].rstrip('.')}"
        for gate in result["gates"]:
            unit = f" {gate['unit']}" if gate["unit"] else ""
            verdict = "met" if gate["value"] <= gate["limit"] else "**missed**"
            rows.append(
                f"| {name} | {gate['title']} | {gate['value']:.3g}{unit} | {gate['limit']:.4g}{unit} | {verdict} "
                f"| {result['date']} |")
            name = ""
    return "\n".join(rows)


def documents() -> dict[pathlib.Path, str]:
    """What table and chart have to say."""
    kept = results()
    before, _, rest = DOCUMENT.read_text().partition(BEGIN)
    after = rest.partition(END)[2]
    return {DOCUMENT: f"{before}{BEGIN}\n{table(kept)}\n{END}{after}", CHART: draw(kept)}


def write() -> None:
    for path, text in documents().items():
        path.write_text(text)


def stale() -> list[str]:
    """Documents that say something else than the results."""
    return [
        os.path.relpath(path, ROOT) for path, text in documents().items() if not path.exists() or path.read_text() != text]
