# SPDX-License-Identifier: Apache-2.0
"""Runs examples on command lines that make no sense: each run must end with status 2 and a sentence.

usage: command_lines_test.py JACOBI PROGRAM_WITHOUT_ARGUMENTS...
"""
import random
import subprocess
import sys

jacobi, *without_arguments = sys.argv[1:]
OPTIONS = ["--size", "--tolerance", "--max-sweeps"]
NO_VALUES = ["", "x", "nan", "-nan", "inf", "-inf", "1e999", "-1", "0", "3x", " ", "--size", "0x", "1,5", "\x1b[31m", "%s%n", "9" * 400,
             "é", "-0"]

cases = [[option] for option in OPTIONS] + [[option, value] for option in OPTIONS for value in NO_VALUES]
cases += [["--help"], [""], ["33"], ["--size=33"], ["-"], ["--"], ["--fast", "1"], ["A" * 100_000, "1"]]
random.seed(1)
for _ in range(100):  # a right beginning and a wrong end
    right = random.choices([["--size", "9"], ["--tolerance", "1e-3"], ["--max-sweeps", "5"]], k=random.randrange(4))
    cases.append(sum(right, []) + [random.choice(OPTIONS), random.choice(NO_VALUES)])

wrong = 0
for arguments in cases:
    run = subprocess.run([jacobi, *arguments], capture_output=True, timeout=60)
    words = run.stderr.decode(errors="replace")
    if run.returncode != 2 or not words.startswith("jacobi: ") or "usage: jacobi" not in words:
        wrong += 1
        print(f"{str(arguments)[:200]}: status {run.returncode}, said {words[:200]!r}")
for program in without_arguments:  # they take none, and look at none
    run = subprocess.run([program, "--size", "\xff", "A" * 100_000], capture_output=True, timeout=60)
    if run.returncode != 0:
        wrong += 1
        print(f"{program}: status {run.returncode}")
print(f"{len(cases)} command lines, {wrong} wrong")
sys.exit(wrong > 0)
