#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Draws the pictures of the documentation that are not plans: docs/draw.py writes them into docs/pictures.

With --check it only compares them with what is there. Bars have figures of the tables in docs/performance.md or docs/lowering.md, which is checked; each
picture has one linear axis that begins at 0.
Plans are drawn by tests/docs/draw.cpp (cmake --build build --target pictures).
"""
import re
import sys
from html import escape
from pathlib import Path

PICTURES = Path(__file__).resolve().parent / "pictures"
INK, PALE, GREEN, GREY, BLUE, RED = "#222222", "#f4f6f8", "#2e9e5b", "#9aa4ae", "#3d6fb4", "#c4573a"
WRONG = []
TABLES = "\n".join(line for page in ("performance.md", "lowering.md") for line in (PICTURES.parent / page).read_text(encoding="utf-8").splitlines()
                   if line.startswith("|"))
TABLES = re.sub(r"(?<=\d) (?=\d{3}\b)", "", TABLES)  # thousands
FONT = 'font-family="Helvetica, Arial, sans-serif"'


class Picture:
    def __init__(self, width, height, title):
        self.width, self.height, self.title, self.parts = width, height, title, []

    def box(self, x, y, width, height, fill, stroke="none", radius=3):
        self.parts.append(f'<rect x="{x:.1f}" y="{y:.1f}" width="{width:.1f}" height="{height:.1f}" rx="{radius}" fill="{fill}" stroke="{stroke}"/>')

    def text(self, x, y, text, size=13, anchor="start", fill=INK, bold=False):
        weight = ' font-weight="bold"' if bold else ""
        self.parts.append(f'<text x="{x:.1f}" y="{y:.1f}" font-size="{size}" text-anchor="{anchor}" fill="{fill}"{weight} {FONT}>{escape(text)}</text>')

    def line(self, x1, y1, x2, y2, stroke=INK, width=1.0, dash="", arrow=False):
        extra = (f' stroke-dasharray="{dash}"' if dash else "") + (' marker-end="url(#arrow)"' if arrow else "")
        self.parts.append(f'<line x1="{x1:.1f}" y1="{y1:.1f}" x2="{x2:.1f}" y2="{y2:.1f}" stroke="{stroke}" stroke-width="{width}"{extra}/>')

    def write(self, name):
        head = (f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {self.width} {self.height}" width="{self.width}" height="{self.height}" role="img">\n'
                f"<title>{escape(self.title)}</title>\n"
                '<defs><marker id="arrow" viewBox="0 0 8 8" refX="7" refY="4" markerWidth="7" markerHeight="7" orient="auto">'
                f'<path d="M0 0L8 4L0 8z" fill="{INK}"/></marker></defs>\n'
                f'<rect width="{self.width}" height="{self.height}" rx="6" fill="white"/>\n')
        text, file = head + "\n".join(self.parts) + "\n</svg>\n", PICTURES / name
        if "--check" not in sys.argv:
            file.write_text(text, encoding="utf-8")
        elif not file.is_file() or file.read_text(encoding="utf-8") != text:
            WRONG.append(f"docs/pictures/{name} is not what docs/draw.py draws")


def idea():
    p = Picture(720, 196, "A host loop launches, waits and decides in every iteration; cograph launches once and the GPU decides")
    left, step = 52, 160
    p.text(10, 18, "A loop on the host: launch, wait, copy a flag back, decide, in every iteration", 14, bold=True)
    p.text(10, 43, "CPU", 14)
    p.text(10, 71, "GPU", 14)
    for n in range(4):
        x = left + n * step
        p.box(x, 28, 48, 20, BLUE)
        p.text(x + 24, 43, "launch", 13, "middle", "white")
        p.box(x + 52, 28, 58, 20, PALE, GREY)
        p.text(x + 81, 43, "wait", 13, "middle")
        p.box(x + 114, 28, 40, 20, RED)
        p.text(x + 134, 43, "if …", 13, "middle", "white")
        p.line(x + 40, 49, x + 50, 57, arrow=True)
        p.box(x + 50, 57, 36, 20, GREEN)
        p.text(x + 68, 72, "work", 13, "middle", "white")
        p.box(x + 88, 57, 26, 20, GREY)
        p.text(x + 101, 72, "flag", 12, "middle", "white")
        p.line(x + 106, 56, x + 118, 50, arrow=True)
        if n < 3:
            p.text(x + 132, 72, "idle", 13, "middle", GREY)
    p.text(left + 4 * step + 4, 43, "…", 16)
    p.line(10, 89, 710, 89, GREY, dash="4 4")
    p.text(10, 110, "The same loop as a cograph expression: one launch; the GPU decides", 14, bold=True)
    p.text(10, 135, "CPU", 14)
    p.text(10, 163, "GPU", 14)
    p.box(left, 120, 48, 20, BLUE)
    p.text(left + 24, 135, "launch", 13, "middle", "white")
    p.text(left + 58, 135, "free for other work", 13, fill=GREY)
    p.line(left + 40, 141, left + 50, 149, arrow=True)
    for n in range(10):
        x = left + 50 + n * 40
        p.box(x, 149, 36, 20, GREEN)
        p.text(x + 18, 164, "work", 13, "middle", "white")
        p.line(x + 38, 146, x + 38, 172, RED, 2)
    p.text(left + 50 + 406, 164, "done; red: the GPU decides", 13)
    p.text(10, 189, "NVIDIA H200, small body, an iteration: host 12 µs, conditional node 5 µs, one kernel 0.02 to 1.4 µs", 13)
    p.write("idea.svg")


def bars(name, title, unit, rows, legend, width=760):
    """Rows: (label, value for each of the legend's kinds or None)."""
    colours = [GREY, BLUE, GREEN][-len(legend):] if len(legend) > 2 else [GREY, GREEN]
    label, right, bar, gap = 250, 70, 13, 12
    height = 64 + len(rows) * (bar * len(legend) + gap) + 30
    p = Picture(width, height, title)
    p.text(16, 24, title, bold=True)
    x = 16
    for kind, colour in zip(legend, colours):
        p.box(x, 36, 12, 12, colour)
        p.text(x + 17, 47, kind, 12)
        x += 30 + 7 * len(kind)
    largest = max(value for _, values in rows for value in values if value is not None)
    step = next(s * 10 ** e for e in range(-3, 6) for s in (1, 2, 5) if largest / (s * 10 ** e) <= 6)
    scale = (width - label - right) / largest
    top, bottom = 58, height - 28
    tick = 0.0
    while tick <= largest * 1.0001:
        p.line(label + tick * scale, top, label + tick * scale, bottom, "#d8dde2")
        p.text(label + tick * scale, bottom + 15, f"{tick:g}", 11, "middle")
        tick += step
    p.text(width - 8, bottom + 15, unit, 11, "end")
    y = top + gap / 2
    for text, values in rows:
        p.text(label - 8, y + bar * len(legend) / 2 + 4, text, 12, "end")
        for value, colour in zip(values, colours):
            if value is not None:
                if not re.search(rf"(?<![\d.]){re.escape(f'{value:g}')}(?:\.?0)?(?![\d.])", TABLES):
                    WRONG.append(f"{name}: no table has {value:g}")
                p.box(label, y, max(value * scale, 1), bar - 1, colour, radius=0)
                p.text(label + value * scale + 5, y + bar - 3, f"{value:g}", 11)
            y += bar
        y += gap
    p.write(name)


def performance():
    bars("loops.svg", "Loops of library nodes, µs an iteration (NVIDIA H100)", "µs", [
        ("one node and a sum that decides", (6.86, 8.47, 1.07)),
        ("Jacobi 256², maximum and test", (7.61, 9.36, 1.92)),
        ("Jacobi 1024²", (10.8, 12.3, 5.27)),
        ("conjugate gradients, 1138_bus", (21.5, 16.4, 4.52)),
        ("conjugate gradients, 512², CSR", (39.1, 22.0, 10.5)),
        ("nested loop, inner iteration", (5.57, 6.35, 0.06)),
    ], ("CUDA graph by hand", "cograph, as_nodes", "cograph, one kernel"))
    bars("own_kernels.svg", "Loops around a __global__ function, µs an iteration (NVIDIA H200)", "µs", [
        ("1 kernel and the predicate", (4.99, 4.99)),
        ("2 kernels and the predicate", (5.46, 5.51)),
        ("4 kernels and the predicate", (6.54, 6.47)),
        ("check_every<8>, 1 kernel", (1.26, 1.27)),
        ("kernel and branch, not taken", (9.02, 8.91)),
        ("nested, inner iteration", (5.87, 5.86)),
    ], ("CUDA graph by hand", "cograph"))
    bars("solver.svg", "Conjugate gradients, preconditioned, µs an iteration (NVIDIA H200)", "µs", [
        ("bcsstk01, 48 rows", (49.7, 2.6)),
        ("494_bus", (45.2, 3.4)),
        ("1138_bus", (49.1, 5.4)),
        ("Poisson 64²", (61.8, 5.2)),
        ("Poisson 512²", (57.2, 16.9)),
    ], ("host loop by hand", "cograph"))
    bars("large.svg", "Large loops, µs an iteration: memory-bound (NVIDIA H100)", "µs", [
        ("conjugate gradients, 2048², CSR", (347, 220, 205)),
        ("conjugate gradients, 2048², stencil", (108, 106, 91.3)),
        ("the same in one pass", (66.5, 66.9, 56.4)),
    ], ("CUDA graph by hand", "cograph, as_nodes", "cograph, one kernel"))
    bars("scans.svg", "Scans and compaction of 10⁵, 10⁶ and 10⁷ floats, µs (NVIDIA H100)", "µs", [
        ("inclusive_scan, 10⁵", (3.80, 4.22)),
        ("inclusive_scan, 10⁶", (6.37, 6.82)),
        ("inclusive_scan, 10⁷", (37.5, 41.2)),
        ("copy_if, 10⁵", (4.24, 5.34)),
        ("copy_if, 10⁶", (6.19, 9.28)),
        ("copy_if, 10⁷", (29.9, 47.0)),
    ], ("CUB in a graph", "cograph"))
    bars("beside_kernel.svg", "A loop around a kernel of yours, µs an iteration (NVIDIA H100)", "µs", [
        ("the kernel and a counter, in all", (5.44, 5.61, 5.41)),
        ("a branch, not taken, adds", (1.78, 3.61, 1.10)),
        ("a branch, taken, adds", (6.40, 8.16, 1.34)),
        ("two branches of kernels, not taken, add", (4.06, 5.62, 3.75)),
        ("four nodes over 33 792 elements add", (0.47, 3.42, 0.99)),
        ("a sum and two counters, in all", (7.84, 9.84, 8.28)),
        ("a single_task and a counter, in all", (4.74, 5.70, 2.27)),
    ], ("CUDA graph by hand", "cograph, as_nodes", "cograph, as instantiate runs it"))
    bars("graph.svg", "One launch of a chain of kernels, host time in µs (NVIDIA H200)", "µs", [
        ("1 kernel", (1.43, 1.48)),
        ("100 kernels", (2.09, 2.00)),
        ("1 000 kernels", (4.34, 4.30)),
        ("100 kernels, forks and joins", (7.77, 7.74)),
    ], ("CUDA graph by hand", "cograph"))
    bars("update.svg", "A pointer changes, beside 1 000 kernels without it: update, launch and wait, µs (NVIDIA H200)", "µs", [
        ("1 kernel uses it", (786, 786)),
        ("10 kernels", (747, 748)),
        ("100 kernels", (794, 797)),
        ("1 000 kernels", (1312, 1325)),
        ("100, device_updatable", (792, 749)),
        ("1 000, device_updatable", (1315, 792)),
    ], ("CUDA graph by hand", "cograph"))
    bars("rows.svg", "Rows of a matrix, µs an iteration (NVIDIA H200)", "µs", [
        ("power iteration, 512²", (9.8, 4.1)),
        ("power iteration, 1024²", (9.7, 4.9)),
        ("power iteration, 2048²", (15.3, 6.6)),
        ("power iteration, 4096²", (33.5, 21.2)),
        ("CG, 1 000 rows of 13", (22.3, 6.9)),
        ("CG, 1 000 rows, one full", (22.8, 10.3)),
        ("CG, 10 000 rows, one full", (25.2, 38.8)),
    ], ("NVIDIA's libraries in a loop", "cograph, one kernel, group of 32"))
    bars("no_gain.svg", "Where nothing is gained, µs (NVIDIA H200)", "µs", [
        ("launch of a graph without loops", (4.34, 4.30)),
        ("loop around one kernel, iteration", (4.99, 4.99)),
        ("the same, the kernel decides", (4.43, 4.99)),
        ("update of one pointer", (0.93, 2.00)),
    ], ("CUDA graph by hand", "cograph"))
    bars("reductions.svg", "Sums of products of doubles, µs each, ten in a row in a graph (NVIDIA H200)", "µs", [
        ("dot, 10³", (1.85, 2.61, 2.52)),
        ("dot, 10⁵", (3.22, 3.84, 3.52)),
        ("dot, 10⁶", (5.14, 7.49, 5.48)),
    ], ("CUB", "cuBLAS", "cograph"))
    bars("search_cost.svg", "An iteration of a loop with a small body, µs (NVIDIA H100)", "µs", [
        ("a __global__ function: conditional node", (5.41,)),
        ("library nodes and a sum: one kernel", (1.07,)),
    ], ("cograph",))
    bars("compile_time.svg", "Compile time of a program, processor seconds (nvcc 13.0)", "s", [
        ("10 __global__ nodes", (0.99, 2.11)),
        ("100 __global__ nodes", (1.49, 2.81)),
        ("1 000 __global__ nodes", (7.70, 14.6)),
        ("100 function objects", (1.53, 3.36)),
        ("1 000 function objects", (7.52, 18.4)),
    ], ("CUDA graph by hand", "cograph"))


def topics():
    p = Picture(640, 250, "A box in tiles: each block of the kernel keeps one on chip, and the blocks next to it read its border")
    side = 56
    for row in range(3):
        for column in range(5):
            x, y, own = 20 + column * (side + 6), 36 + row * (side + 6), row == 1 and column == 2
            p.box(x, y, side, side, GREEN if own else PALE, GREY)
            if own:
                p.box(x + 8, y + 8, side - 16, side - 16, "#dceadf", "none", 0)
                p.text(x + side / 2, y + 33, "tile", 12, "middle")
            elif (row == 1) != (column == 2) and abs(row - 1) + abs(column - 2) == 1:
                edge = {(0, 2): (x, y + side - 8, side, 8), (2, 2): (x, y, side, 8), (1, 1): (x + side - 8, y, 8, side), (1, 3): (x, y, 8, side)}[row, column]
                p.box(*edge, BLUE, "none", 0)
    p.text(20, 24, "A box of rows and columns, in tiles", 13, bold=True)
    p.box(350, 60, 14, 14, "#dceadf", GREY)
    p.text(372, 72, "read and written on chip in each iteration", 12)
    p.box(350, 88, 14, 14, GREEN)
    p.text(372, 100, "border: also written to memory", 12)
    p.box(350, 116, 14, 14, BLUE)
    p.text(372, 128, "borders of the tiles next to it: read", 12)
    p.text(350, 160, "Without a reduction, a block waits", 12)
    p.text(350, 177, "only for the blocks next to it.", 12)
    p.write("tiles.svg")

    p = Picture(680, 170, "Segments of any length: work is dealt by terms, in chunks of equal size")
    p.text(16, 22, "Terms, by segment; each chunk has equally many", 13, bold=True)
    x, lengths, colours = 16, [2, 1, 11, 0, 3, 5, 2], [BLUE, GREEN, RED, GREY]
    for n, length in enumerate(lengths):
        for k in range(length):
            p.box(x + k * 26, 44, 23, 30, colours[n % 3])
        if length:
            p.text(x + (length - 1) // 2 * 26 + 11.5, 64, str(n), 12, "middle", "white", True)
        x += length * 26
    for chunk in range(4):
        left = 16 + chunk * 6 * 26
        p.line(left, 90, left + 6 * 26 - 6, 90, INK, 2)
        p.text(left + 75, 108, f"chunk {chunk}", 12, "middle")
    p.text(16, 138, "Segment 2 lies in three chunks: the second node joins its parts. Segment 3 is empty: it gets the identity.", 12)
    p.write("segments.svg")

    p = Picture(660, 190, "A batch: each problem ends its loops by itself, and the next one begins")
    p.text(16, 22, "Groups of threads take problems from a queue", 13, bold=True)
    number = 0
    for row, runs in enumerate(([90, 60, 150, 40, 110], [200, 45, 70, 125], [50, 130, 95, 60, 80], [120, 40, 40, 160, 70])):
        y, x = 36 + row * 32, 90
        p.text(16, y + 17, f"group {row}", 12)
        for run in runs:
            p.box(x, y, run - 3, 24, (BLUE, GREEN, "#7d6fb4", "#b4893d")[number % 4])
            x += run
            number += 1
    p.line(90, 172, 560, 172, GREY, arrow=True)
    p.text(568, 176, "time", 12, fill=GREY)
    p.write("batch.svg")


def tutorial():
    p = Picture(620, 170, "A sweep reads one array and writes the other; then they are exchanged")
    for row, (name, y) in enumerate((("rod", 40), ("next", 110))):
        p.text(14, y + 18, name, 14, bold=True)
        for n in range(9):
            p.box(60 + n * 56, y, 48, 26, PALE if n in (0, 8) else "#dceadf" if row else "#dde7f5", GREY)
    for target in (2, 4, 6):
        for source in (target - 1, target + 1):
            p.line(60 + source * 56 + 24, 68, 60 + target * 56 + 24, 106, arrow=True)
    p.text(60, 26, "read: two neighbours", 12, fill=BLUE)
    p.text(60, 156, "written: element i, by the thread of element i; the ends stay", 12, fill=GREEN)
    p.write("sweep.svg")

    p = Picture(680, 176, "Variables: memory on the GPU that you bind, memory of the graph's own, scalars on the GPU, and values that the host gives")
    p.box(170, 12, 496, 150, PALE, GREY, 6)
    p.text(182, 32, "GPU", 13, bold=True)
    p.text(16, 32, "host", 13, bold=True)
    for y, name, fill, what in ((44, "rod", "#dde7f5", "buffer: memory that you bind"), (78, "next", "#dceadf", "temp: the graph's own, as long as rod")):
        for n in range(7):
            p.box(232 + n * 20, y, 18, 22, fill, GREY, 0)
        p.text(182, y + 16, name, 13)
        p.text(386, y + 16, what, 12, fill=GREY)
    for x, name in ((182, "change"), (262, "sweeps")):
        p.box(x, 116, 70, 26, "#f6e3dd", GREY)
        p.text(x + 35, 134, name, 13, "middle")
    p.text(386, 134, "scalars: numbers that the GPU computes", 12, fill=GREY)
    for y, name in ((58, "limit"), (96, "most")):
        p.box(16, y, 70, 26, "#eee6f7", GREY)
        p.text(51, y + 18, name, 13, "middle")
        p.line(88, y + 13, 166, y + 13, arrow=True)
    p.text(16, 150, "values, set by the host", 12, fill=GREY)
    p.write("tutorial_variables.svg")

    p = Picture(680, 156, "A grid-stride loop: six threads step through a frontier whose length only the GPU knows")
    colours = [BLUE, GREEN, RED, GREY, "#7d6fb4", "#b4893d"]
    p.text(16, 24, "frontier: from_size = 15 vertices, a number in GPU memory", 13, bold=True)
    for k in range(19):
        inside = k < 15
        p.box(16 + k * 34, 36, 30, 30, colours[k % 6] if inside else PALE, "none" if inside else GREY)
        p.text(31 + k * 34, 56, f"{k}", 12, "middle", "white" if inside else GREY)
    for k in range(0, 12, 6):
        p.parts.append(f'<path d="M {31 + k * 34} 70 C {31 + k * 34} 100, {31 + (k + 6) * 34} 100, {31 + (k + 6) * 34} 72" fill="none" stroke="{INK}" marker-end="url(#arrow)"/>')
    p.text(16, 118, "A colour is one thread of six: it takes vertices k, k + 6, k + 12, ... while k is less than from_size.", 12)
    p.text(16, 138, "The grid is fixed when the graph is made. The amount of work is not.", 12)
    p.write("grid_stride.svg")

    p = Picture(680, 190, "The parameters of the kernel become access modes, and these become edges")
    p.text(16, 24, "parameter of expand", 13, bold=True)
    p.text(260, 24, "access mode", 13, bold=True)
    p.text(420, 24, "in the plan", 13, bold=True)
    rows = (("const int* from, const int* depth", "in", "waits for the nodes that write them", BLUE), ("int* level", "inout", "also waits for the nodes that read it", GREEN),
            ("int* to, int* to_size", "inout", "later readers wait for this node", GREEN), ("adjacency graph (a view)", "in(graph)", "you say it: the type does not", RED))
    for n, (parameter, mode, what, colour) in enumerate(rows):
        y = 38 + n * 37
        p.box(16, y, 216, 28, PALE, GREY)
        p.text(26, y + 19, parameter, 12)
        p.line(234, y + 14, 256, y + 14, arrow=True)
        p.box(260, y, 110, 28, colour)
        p.text(315, y + 19, mode, 12, "middle", "white", True)
        p.line(372, y + 14, 414, y + 14, arrow=True)
        p.text(420, y + 19, what, 12)
    p.write("kernel_node.svg")

    p = Picture(680, 190, "instantiate makes a library call once, on a stream that is captured; each launch replays what the call enqueued")
    p.text(16, 24, "instantiate: once", 13, bold=True)
    p.box(16, 36, 150, 34, BLUE)
    p.text(91, 58, "cublasDdot(...)", 12, "middle", "white", True)
    p.line(168, 53, 214, 53, arrow=True)
    p.text(220, 48, "on a stream", 12)
    p.text(220, 64, "being captured", 12)
    p.line(312, 53, 358, 53, arrow=True)
    for n, name in enumerate(("kernel", "kernel")):
        p.box(364 + n * 104, 36, 76, 34, GREEN)
        p.text(402 + n * 104, 58, name, 12, "middle", "white")
    p.line(442, 53, 464, 53, arrow=True)
    p.text(556, 58, "in the graph", 12)
    p.line(16, 88, 664, 88, GREY, dash="4 4")
    p.text(16, 112, "launch: each iteration replays the kernels; the library is not called, the host does nothing", 13, bold=True)
    for n in range(6):
        for k in range(2):
            p.box(16 + n * 106 + k * 46, 126, 42, 26, GREEN)
        p.line(16 + n * 106 + 96, 120, 16 + n * 106 + 96, 158, RED, 2)
    p.text(16, 178, "red: the GPU decides whether there is another iteration", 12)
    p.write("library_node.svg")

    p = Picture(680, 150, "A factor that changes stays on the GPU: dot products write it, assign computes with it, axpy reads it")
    parts = ((16, "dot", "rr, pAp", BLUE), (186, "assign", "step = rr / pAp", GREEN), (400, "axpy", "x = x + step * p", BLUE))
    for n, (x, name, what, colour) in enumerate(parts):
        width = 110 if n == 0 else 150
        p.box(x, 22, width, 46, colour)
        p.text(x + width / 2, 42, name, 13, "middle", "white", True)
        p.text(x + width / 2, 59, what, 11, "middle", "white")
    p.line(128, 45, 182, 45, arrow=True)
    p.line(338, 45, 396, 45, arrow=True)
    p.text(155, 36, "scalars", 11, "middle")
    p.text(367, 36, "a scalar", 11, "middle")
    p.box(16, 84, 648, 24, PALE, GREY)
    p.text(340, 100, "all numbers stay in GPU memory; a host loop would copy two of them in every iteration", 12, "middle")
    p.text(16, 134, "A factor that never changes, such as 1, is an ordinary argument.", 12)
    p.write("device_scalars.svg")

    p = Picture(640, 232, "Breadth-first search: every level is one frontier; the loop ends when the frontier is empty")
    levels = [(60, [110]), (200, [60, 110, 160]), (340, [40, 90, 140, 190]), (480, [90])]
    colours = [RED, BLUE, GREEN, GREY]
    for (x, ys), (x2, ys2) in zip(levels, levels[1:]):
        for y in ys:
            for y2 in ys2:
                if abs(y - y2) <= 52:
                    p.line(x + 12, y, x2 - 14, y2, GREY, arrow=True)
    for (x, ys), colour, level in zip(levels, colours, range(4)):
        for y in ys:
            p.parts.append(f'<circle cx="{x}" cy="{y}" r="12" fill="{colour}"/>')
        p.text(x, 224, f"level {level}", 12, "middle")
    p.text(490, 50, "one iteration a level", 12)
    p.write("frontier.svg")

    p = Picture(660, 150, "One iteration of conjugate gradients: library calls and nodes in one loop body")
    boxes = [("SpMV", "cuSPARSE", BLUE), ("p · Ap", "cuBLAS", BLUE), ("alpha", "one thread", GREEN), ("x, r", "elements", GREEN), ("r · r", "cuBLAS", BLUE),
             ("beta, p", "elements", GREEN)]
    for n, (name, who, colour) in enumerate(boxes):
        p.box(20 + n * 106, 40, 84, 44, colour)
        p.text(62 + n * 106, 60, name, 14, "middle", "white", True)
        p.text(62 + n * 106, 76, who, 11, "middle", "white")
        if n < 5:
            p.line(106 + n * 106, 62, 124 + n * 106, 62, arrow=True)
    p.parts.append(f'<path d="M 610 86 C 610 130, 62 130, 62 90" fill="none" stroke="{INK}" marker-end="url(#arrow)"/>')
    p.text(336, 136, "again while the residual is large: decided on the GPU", 12, "middle")
    p.write("solver_loop.svg")


def halos():
    """The time line of the table in docs/scale.md."""
    page = (PICTURES.parent / "scale.md").read_text(encoding="utf-8")
    rows = re.findall(r"^\| (\w[^|]*?) \| (\d+\.\d+) \| (\d+\.\d+) \|$", page.split("| kernel | begins | ends |")[1].split("\n\n")[0], re.M)
    end = max(float(last) for _, _, last in rows)
    p = Picture(760, 40 + 26 * len(rows) + 44, "Kernels of an iteration on one of two GPUs (NVIDIA H100): the halos travel beside the interior")
    p.text(16, 22, p.title, 13, bold=True)
    left, scale, y = 150, (760 - 150 - 30) / end, 36
    for name, first, last in rows:
        x, width = left + float(first) * scale, max((float(last) - float(first)) * scale, 1.5)
        colour = RED if name == "halo" else BLUE if name == "interior" else GREY
        p.text(left - 8, y + 15, name, 12, "end")
        p.box(x, y + 2, width, 18, colour, radius=0)
        y += 26
    p.line(left, y + 2, left + end * scale, y + 2)
    step = 10 if end < 120 else 50
    for tick in range(0, int(end) + 1, step):
        p.line(left + tick * scale, y + 2, left + tick * scale, y + 7)
        p.text(left + tick * scale, y + 20, f"{tick}", 11, "middle")
    p.text(left + end * scale, y + 36, "µs", 11, "end")
    p.write("halos_profile.svg")


if __name__ == "__main__":
    idea()
    halos()
    performance()
    topics()
    tutorial()
    for problem in WRONG:
        print(problem)
    sys.exit(bool(WRONG))
