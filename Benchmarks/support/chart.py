"""The bar chart of docs/PERFORMANCE.md: each ratio beside what it is a ratio of, and its limit."""

from xml.sax.saxutils import escape

LABELS, WIDTH, BAR, ROW, HEAD, FOOT = 430, 420, 12, 20, 46, 30
LARGEST = 1.5
"""Ratios beyond this are cut off; their number says how large they are."""
STYLE = """
  text { font: 12px system-ui, sans-serif; fill: #24292f }
  .title { font-size: 15px; font-weight: 600 }
  .scenario { font-weight: 600 }
  .met { fill: #2da44e } .missed { fill: #cf222e } .peer { stroke: #57606a; stroke-dasharray: 3 3 } .limit { stroke: #24292f; stroke-width: 2 }
  @media (prefers-color-scheme: dark) { text { fill: #e6edf3 } .limit { stroke: #e6edf3 } .peer { stroke: #8b949e } }
""".strip("\n")


def position(ratio: float) -> float:
    return LABELS + min(ratio, LARGEST) / LARGEST * WIDTH


def draw(kept: list[dict]) -> str:
    lines: list[str] = []
    top = HEAD
    for result in kept:
        ratios = [gate for gate in result["gates"] if gate["kind"] == "ratio"]
        if not ratios:
            continue
        lines.append(f'<text class="scenario" x="10" y="{top + BAR}">{escape(result["scenario"])}</text>')
        for gate in ratios:
            lines += bar(gate, top)
            top += ROW
        top += 6
    peer = position(1)
    height = top + FOOT
    width = LABELS + WIDTH + 60
    return "\n".join([
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{width}" height="{height}" viewBox="0 0 {width} {height}" role="img">',
        "<title>What netdash takes of what others take</title>",
        f"<style>\n{STYLE}\n</style>",
        '<text class="title" x="10" y="22">What netdash takes, as a part of what others take (shorter is better)</text>',
        f'<line class="peer" x1="{peer:g}" x2="{peer:g}" y1="{HEAD - 8}" y2="{top}"/>',
        f'<text x="{peer - 4:g}" y="{top + 16}" text-anchor="end">as much as the other program</text>',
        f'<text x="10" y="{top + 16}">A thick stroke is the limit.</text>',
        *lines, "</svg>", ""])


def bar(gate: dict, top: int) -> list[str]:
    value, limit = gate["value"], gate["limit"]
    kind = "met" if value <= limit else "missed"
    stroke = position(limit)
    return [
        f'<text x="{LABELS - 8}" y="{top + BAR - 1}" text-anchor="end">{escape(gate["title"])}</text>',
        f'<rect class="{kind}" x="{LABELS}" y="{top}" width="{position(value) - LABELS:.1f}" height="{BAR}" rx="2"/>',
        f'<line class="limit" x1="{stroke:.1f}" x2="{stroke:.1f}" y1="{top - 2}" y2="{top + BAR + 2}"/>',
        f'<text x="{max(position(value), stroke) + 6:.1f}" y="{top + BAR - 1}">{value:.2f}</text>',
    ]
