# SPDX-License-Identifier: Apache-2.0
"""Runs linear_program on files: the right ones give the best value, and each wrong one is refused with its line.

usage: files_test.py LINEAR_PROGRAM
"""
import re
import subprocess
import sys
import tempfile
from pathlib import Path

program = sys.argv[1]
folder = Path(__file__).resolve().parent / "data"
GOOD = (folder / "small.mps").read_text()
LARGER = (folder / "maximum.mps").read_text()
# what is changed in a right file, into what, and what the program says of it
BAD = [
    (" L  LIM1", " Q  LIM1", r":5: unknown kind of row"),
    (" G  LIM2", " G  LIM1", r":6: names row 'LIM1' again"),
    (" L  LIM1", " L", r":5: needs the kind of a row"),
    ("ROWS", "ROW", r":3: unknown section 'ROW'"),
    ("    Z         COST        -1.0", "    X         COST        -1.0", r":13: returns to column 'X'"),
    ("LIM1         1.0\n", "LIM7         1.0\n", r":9: unknown row 'LIM7'"),
    ("LIM1         4.0", "LIM1         4.0x", r":15: needs a number, not '4.0x'"),
    ("LIM1         4.0", "LIM1         nan", r":15: needs a number, not 'nan'"),
    ("LIM1         4.0", "LIM1", r":15: needs"),
    ("MYEQN        7.0\n", "MYEQN        7.0  MYEQN\n", r":16: unknown row 'RHS'|:16: needs"),
    (" UP BND       Y", " XX BND       Y", r":20: unknown kind of bound 'XX'"),
    (" UP BND       Y", " BV BND       Y", r":20: unknown kind of bound 'BV'"),
    (" LO BND       Y", " LO BND       W", r":19: unknown column 'W'"),
    (" UP BND       X            4.0", " UP BND       X           -4.0", r"bounds cross"),
    ("ENDATA", "", r"ends without ENDATA"),
    ("COLUMNS\n", "COLUMNS\n    M         'MARKER'  'INTORG'\n", r":9: has integer variables"),
    ("NAME", "A" * 20_000 + "\nNAME", r":2: is longer"),
    ("ROWS\n", " X  Y\nROWS\n", r":3: stands in no section"),
    (GOOD, "ENDATA\n", r"has no columns"),
    (GOOD, "\x00\xff" * 50, r"unknown section|needs"),
]


def run(text, *options):
    with tempfile.TemporaryDirectory() as place:
        file = Path(place) / "file.mps"
        file.write_text(text, encoding="latin-1")
        return subprocess.run([program, "--file", str(file), *options], capture_output=True, text=True, errors="replace", timeout=100)


wrong = 0
for text, best in ((GOOD, -7), (GOOD.replace("\n", "\r\n"), -7), (LARGER, 16)):
    done = run(text, "--tolerance", "1e-7")
    found = re.search(r"objective (\S+)", done.stdout)
    if done.returncode or not found or abs(float(found[1]) - best) > 1e-4:
        wrong += 1
        print(f"wants {best}: {done}")
for before, after, words in BAD:
    assert GOOD.count(before) > 0, before
    done = run(GOOD.replace(before, after, 1))
    if done.returncode != 1 or not re.search(words, done.stderr) or done.stdout or len(done.stderr) > 300:
        wrong += 1
        print(f"{after[:40]!r}: {done}")
done = run(GOOD, "--most", "1", "--tolerance", "1e-12")
if done.returncode != 1 or "no solution" not in done.stderr:
    wrong += 1
    print(f"too few iterations: {done}")
print(f"{len(BAD) + 4} files, {wrong} wrong")
sys.exit(wrong > 0)
