# SPDX-License-Identifier: Apache-2.0
"""Runs examples on command lines that make no sense: each run must end with a sentence and a status that is not zero.

usage: command_lines_test.py INSPECT PROGRAM_WITHOUT_ARGUMENTS... -- PROGRAM_WITH_OPTIONS...

The options of the last are those that its usage names, each with a number behind it.
"""
import json
import random
import re
import subprocess
import sys
from pathlib import Path

inspect, *without_arguments = sys.argv[1:sys.argv.index("--")]
with_options = sys.argv[sys.argv.index("--") + 1:]
NO_VALUES = ["", "x", "nan", "-nan", "inf", "-inf", "1e999", "-1", "0", "3x", " ", "0x", "1,5", "\x1b[31m", "%s%n", "9" * 400, "é", "-0"]

random.seed(1)
cases = []
for program in with_options:
    usage = subprocess.run([program, "--help"], capture_output=True, timeout=60).stderr.decode()
    options = re.findall(r"^  (--[a-z-]+) ", usage, re.MULTILINE)
    assert options, program
    lines = [[option] for option in options] + [[option, value] for option in options for value in [*NO_VALUES, options[0]]]
    lines += [["--help"], [""], ["33"], [f"{options[0]}=33"], ["-"], ["--"], ["--fast", "1"], ["A" * 100_000, "1"]]
    for _ in range(100 // len(with_options)):  # a right beginning and a wrong end
        right = random.choices([[option, "256"] for option in options], k=random.randrange(4))
        lines.append(sum(right, []) + [random.choice(options), random.choice(NO_VALUES)])
    cases += [(program, line, 2, f"usage: {Path(program).name}") for line in lines]

no_plans = ["nonsense", "", "JSON", "--help", "-", "%s%n", "\x1b[31m", "A" * 100_000]
cases += [(inspect, [what], 1, "json, dot or html") for what in no_plans]
cases += [(inspect, [what, "extra"], 1, "one argument") for what in ["json", "dot", "nonsense"]]

for program in without_arguments:
    cases += [(program, line, 1, "takes no arguments") for line in [[""], ["--help"], ["--size", "\xff", "A" * 100_000]]]

wrong = 0
for program, arguments, status, words in cases:
    run = subprocess.run([program, *arguments], capture_output=True, timeout=60)
    said = run.stderr.decode(errors="replace")
    if run.returncode != status or not said.startswith(Path(program).name + ": ") or words not in said or run.stdout:
        wrong += 1
        print(f"{program} {str(arguments)[:200]}: status {run.returncode}, said {said[:200]!r}")

json.loads(subprocess.run([inspect, "json"], capture_output=True, timeout=60, check=True).stdout)
if not subprocess.run([inspect, "dot"], capture_output=True, timeout=60, check=True).stdout.startswith(b"digraph"):
    wrong += 1
    print("inspect dot writes no picture")
print(f"{len(cases)} hostile command lines of {1 + len(with_options) + len(without_arguments)} examples, {wrong} wrong")
sys.exit(wrong > 0)
