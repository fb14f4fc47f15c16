"""Figures beside their limits, and figures of programs side by side, as text or as Markdown."""

import math


class Report:
    def __init__(self, markdown: bool):
        self._markdown = markdown
        self._rows: list[tuple[str, str, str, str]] = []
        self.missed = 0

    def gate(self, name: str, value: float, limit: float, unit: str, digits: int = 0) -> None:
        """A figure that must not be above its limit."""
        self._gate(name, value, limit, unit, digits, value <= limit)

    def at_least(self, name: str, value: float, limit: float, unit: str, digits: int = 0) -> None:
        """A figure that must not be below its limit."""
        self._gate(name, value, limit, unit, digits, value >= limit)

    def _gate(self, name: str, value: float, limit: float, unit: str, digits: int, met: bool) -> None:
        self.missed += 0 if met else 1
        self._rows.append((name, number(value, unit, digits), number(limit, unit, 0 if limit == int(limit) else 1), "met" if met else "MISSED"))
        if not self._markdown:
            print(f"  {name:88} {self._rows[-1][1]:>14}   limit {self._rows[-1][2]:>10}   {self._rows[-1][3]}", flush=True)

    def note(self, name: str, value: float, unit: str, digits: int = 0) -> None:
        """A figure without a limit."""
        self._rows.append((name, number(value, unit, digits), "", ""))
        if not self._markdown:
            print(f"  {name:88} {self._rows[-1][1]:>14}", flush=True)

    def finish(self) -> None:
        if self._markdown and self._rows:
            print_table(["", "measured", "limit", "gate"], self._rows)


def number(value: float, unit: str, digits: int = 0) -> str:
    if math.isnan(value):
        return "–"
    return f"{value:,.{digits}f}".replace(",", " ") + (f" {unit}" if unit else "")


def print_table(titles: list[str], rows: list, markdown: bool = True) -> None:
    if markdown:
        print("| " + " | ".join(titles) + " |")
        print("|" + "|".join("---" if index == 0 else "---:" for index in range(len(titles))) + "|")
        for row in rows:
            print("| " + " | ".join(row) + " |")
        print(flush=True)
        return
    widths = [max(len(row[index]) for row in [titles, *rows]) for index in range(len(titles))]
    for row in [titles, *rows]:
        cells = [cell.ljust(width) if index == 0 else cell.rjust(width) for index, (cell, width) in enumerate(zip(row, widths))]
        print("  " + "  ".join(cells))
    print(flush=True)


def percentile(values: list[float], share: float) -> float:
    """The smallest value that at least this share of all is not above."""
    ordered = sorted(values)
    return ordered[max(math.ceil(share * len(ordered)) - 1, 0)]
