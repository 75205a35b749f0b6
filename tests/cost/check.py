#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Counts the templates of cograph that nvcc instantiates in fixed small programs, and the functions that every program holds.

Both are the same on every run. Ten nodes show what any program costs; twenty nodes, whose arguments are those of the ten, what one
node more costs; two formulas, what one leaf more costs, of a short one and of a long one. Whoever raises a budget says in the commit
what it buys.
"""
import argparse
import json
import pathlib
import subprocess
import sys
import tempfile

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2] / "bench"))
import compile_time  # noqa: E402

# kind of node: templates in a program of ten nodes, templates for one node more
BUDGET = {"kernel": (507, 6), "object": (517, 8)}
LEAF = 17  # templates for one leaf more of a formula, however long
FUNCTIONS = 240  # of cograph in the object file of a program of ten kernels


def compiled(arguments, folder, name, text, *options):
    source = folder / f"{name}.cu"
    source.write_text(text)
    command = [arguments.nvcc, "-std=c++20", "-arch=sm_90", *arguments.flags, *options, str(source)]
    said = subprocess.run(command, capture_output=True, text=True)
    if said.returncode:
        sys.exit(f"{' '.join(command)} failed:\n{said.stderr[:2000]}")


def formula(leaves):
    scalars = "\n".join(f"inline constexpr struct s{i} : cograph::scalar<s{i}, double> {{}} s{i};" for i in range(4))
    sum_of_all = " + ".join(f"s{i % 4}" for i in range(leaves))
    return f"""#include <cograph.cuh>
{scalars}
void run(cudaStream_t stream, double* to) {{
    cograph::run_on(stream, assign(s0, {sum_of_all}), s0(to), s1(to), s2(to), s3(to));
}}
"""


def templates(arguments, folder, name, text):
    trace = folder / "trace"
    compiled(arguments, folder, name, text, "-ptx", "-o", str(folder / "out.ptx"), "-fdevice-time-trace", str(trace))
    events = json.loads(trace.with_suffix(".json").read_text())["traceEvents"]
    return sum(e.get("name", "").startswith("Instantiating Template") and e["args"]["detail"].startswith("cograph::") for e in events)


def functions(arguments, folder):
    compiled(arguments, folder, "functions", compile_time.library("kernel", 10, False), "-c", "-o", str(folder / "functions.o"))
    names = subprocess.run(["nm", "--defined-only", str(folder / "functions.o")], capture_output=True, text=True, check=True).stdout
    return sum(line.split()[1] in "WVt" and "7cograph" in line for line in names.splitlines())


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--nvcc", default="nvcc")
    arguments, arguments.flags = parser.parse_known_args()  # the rest is for nvcc

    failed = False

    def hold(what, count, budget):
        nonlocal failed
        failed |= count > budget
        print(f"{what:55} {count:6} of {budget:6}{'   TOO MANY' if count > budget else ''}")

    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        for kind, (fixed, each) in BUDGET.items():
            ten, twenty = (templates(arguments, folder, f"{kind}_{n}", compile_time.library(kind, n, False)) for n in (10, 20))
            hold(f"{kind}: templates, ten nodes", ten, fixed)
            hold(f"{kind}: templates, one node more (tenths)", twenty - ten, 10 * each)
        short, middle, long = (templates(arguments, folder, f"formula_{n}", formula(n)) for n in (16, 32, 128))
        hold("formula: templates, one leaf more of 16 (tenths)", (middle - short) * 10 // 16, 10 * LEAF)
        hold("formula: templates, one leaf more of 32 (tenths)", (long - middle) * 10 // 96, 10 * LEAF)
        hold("functions in a program of ten kernels", functions(arguments, folder), FUNCTIONS)
    sys.exit(failed)


if __name__ == "__main__":
    main()
