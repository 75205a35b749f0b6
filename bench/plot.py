#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Draws the table of the benchmark lowering, and its peers, from a report: bench/plot.py report.log [picture.svg]

Needs nothing but Python. A row is a group of bars on a logarithmic axis; lines across them are what is to be reached.
"""
import argparse
import math
import pathlib
import re
import sys
from xml.sax.saxutils import escape

HERE = pathlib.Path(__file__).resolve().parent
WAYS = [("by hand, conditional nodes", "#9aa0a6"), ("cograph, node by node", "#7fb3d5"), ("cograph, lowered", "#1a5fb4")]
PEER = "#e5a50a"
SAME = {"one node, 33792 elements": "one node, whole grid"}  # what a peer calls it: what the table calls it

LABELS, WIDTH, BAR, GAP, TOP = 330, 620, 11, 9, 74


def number(text):
    return None if text == "-" else float(text)


def read(report):
    """The rows of the table, (name, costs, target), and by name of a row what peers take: (peer, cost)."""
    rows, peers, inside = [], {}, False
    for line in report.splitlines():
        if line.startswith("lowering ("):
            inside = True
        elif not line.strip():
            inside = False
        found = re.match(r"(.{60})((?:\s+(?:-|-?\d+(?:\.\d+)?)){4})$", line)
        if inside and found and not line.startswith(" "):
            *costs, target = map(number, found[2].split())
            if None not in costs:
                rows.append((found[1].strip(), costs, target))
        found = re.match(r"(JAX|PyTorch|cuda\.core|CuPy): (.{3,})\s+(\d+\.\d+)$", line)
        if found:
            what = found[2].strip().split(", replay")[0]
            peers.setdefault(SAME.get(what, what), []).append((found[1], float(found[3])))
    return rows, peers


class drawing:
    def __init__(self, rows, peers):
        values = [max(cost, 0.01) for _, costs, _ in rows for cost in costs]
        self.low = math.floor(math.log10(min(values)))
        self.high = math.ceil(math.log10(max(values + [cost for named in peers.values() for _, cost in named])))
        self.parts = []
        y = TOP
        for name, costs, target in rows:
            y = self.group(y, name, costs, target, peers.get(name, []))
        self.height = y + 16
        self.axis(y)
        self.legend(with_peers=bool(peers))

    def x(self, cost):
        return LABELS + WIDTH * (math.log10(max(cost, 10**self.low)) - self.low) / (self.high - self.low)

    def text(self, x, y, what, size=11, anchor="start", colour="#202124"):
        self.parts.append(f'<text x="{x:.1f}" y="{y:.1f}" font-size="{size}" text-anchor="{anchor}" fill="{colour}">{escape(what)}</text>')

    def bar(self, y, cost, colour, note=""):
        end = self.x(cost)
        self.parts.append(f'<rect x="{LABELS}" y="{y}" width="{max(end - LABELS, 1):.1f}" height="{BAR - 1}" fill="{colour}"/>')
        self.text(end + 4, y + BAR - 2.5, f"{cost:.3g}{note}" if cost < 1000 else f"{cost:.0f}{note}", 9)

    def group(self, y, name, costs, target, peers):
        bars = [(cost, colour, "") for cost, (_, colour) in zip(costs, WAYS)] + [(cost, PEER, f"  {peer}") for peer, cost in peers]
        self.text(LABELS - 8, y + len(bars) * BAR / 2 + 4, name, 11, "end")
        begin = y
        for cost, colour, note in bars:
            self.bar(y, cost, colour, note)
            y += BAR
        if target:
            at = self.x(target)
            self.parts.append(f'<line x1="{at:.1f}" x2="{at:.1f}" y1="{begin - 2}" y2="{y + 1}" stroke="#c01c28" stroke-width="1.5"/>')
        return y + GAP

    def axis(self, bottom):
        for power in range(self.low, self.high + 1):
            at = self.x(10**power)
            self.parts.insert(0, f'<line x1="{at:.1f}" x2="{at:.1f}" y1="{TOP - 8}" y2="{bottom}" stroke="#e0e0e0"/>')
            self.text(at, TOP - 12, f"{10**power:g}", 10, "middle", "#5f6368")

    def legend(self, with_peers):
        self.text(8, 20, "Microseconds an iteration", 15)
        x = 8
        for name, colour in WAYS + [("peers", PEER)] * with_peers + [("to reach", "#c01c28")]:
            self.parts.append(f'<rect x="{x}" y="32" width="11" height="11" fill="{colour}"/>')
            self.text(x + 16, 42, name)
            x += 32 + 6.3 * len(name)

    def svg(self):
        width = LABELS + WIDTH + 110
        return (f'<svg xmlns="http://www.w3.org/2000/svg" width="{width}" height="{self.height}" font-family="sans-serif">\n'
                f'<rect width="100%" height="100%" fill="white"/>\n' + "\n".join(self.parts) + "\n</svg>\n")


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("report", type=pathlib.Path)
    parser.add_argument("picture", type=pathlib.Path, nargs="?", default=HERE / "lowering.svg")
    arguments = parser.parse_args()
    rows, peers = read(arguments.report.read_text())
    if not rows:
        sys.exit(f"{arguments.report} has no table of the benchmark lowering")
    arguments.picture.parent.mkdir(parents=True, exist_ok=True)
    arguments.picture.write_text(drawing(rows, peers).svg())
    print(f"wrote {arguments.picture}")


if __name__ == "__main__":
    main()
