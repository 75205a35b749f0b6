#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Compares the machine code of the leaf kernels in leaf.cu: the library's against the ones written by hand.

Counts instructions of the sm_90 code (PTX where cuobjdump is missing). Ends with 1 when a count differs.
"""
import argparse
import collections
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

HERE = pathlib.Path(__file__).resolve().parent
LEAVES = ["axpy", "spmv", "stencil", "rotate"]


def run(*command):
    done = subprocess.run(command, capture_output=True, text=True)
    if done.returncode:
        sys.exit(f"{command[0]} failed:\n{(done.stdout + done.stderr)[:2000]}")
    return done.stdout


def sass(nvcc, options, folder):
    """Name of each kernel -> opcodes, without the padding behind the last branch to itself."""
    binary = f"{folder}/leaf.cubin"
    run(nvcc, *options, "-cubin", str(HERE / "leaf.cu"), "-o", binary)
    kernels = {}
    for block in run("cuobjdump", "--dump-sass", binary).split("Function : ")[1:]:
        code = re.findall(r"/\*[0-9a-f]{4,}\*/\s+(?:@!?U?P\w+\s+)?([A-Z][\w.]*)", block)
        while code and code[-1] in ("NOP", "BRA"):
            code.pop()
        kernels[block.split()[0]] = collections.Counter(code)
    return kernels


def ptx(nvcc, options, folder):
    text = f"{folder}/leaf.ptx"
    run(nvcc, *options, "-ptx", str(HERE / "leaf.cu"), "-o", text)
    kernels = {}
    for block in pathlib.Path(text).read_text().split(".entry ")[1:]:
        code = re.findall(r"^\s+(?:@!?%\w+\s+)?([a-z][\w.]*)\b[^;]*;", block.split("\n}")[0], re.M)
        kernels[re.match(r"\w+", block)[0]] = collections.Counter(code)
    return kernels


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--nvcc", default="nvcc")
    parser.add_argument("--arch", default="sm_90")
    parser.add_argument("-v", "--verbose", action="store_true", help="the names of the kernels compared")
    arguments = parser.parse_args()
    options = ["-O3", "-std=c++20", f"-arch={arguments.arch}", f"-I{HERE.parent / 'include'}"]

    form = "SASS" if shutil.which("cuobjdump") else "PTX"
    with tempfile.TemporaryDirectory() as folder:
        kernels = (sass if form == "SASS" else ptx)(arguments.nvcc, options, folder)

    print(f"leaf kernels, {form} instructions, {arguments.arch}")
    print(f"{'what':52} {'by hand':>11} {'cograph':>11} {'ratio':>7} {'target':>7}")
    same = True
    for leaf in LEAVES:
        hand = next(code for name, code in kernels.items() if f"by_hand_{leaf}" in name)
        library = {n: c for n, c in kernels.items() if f"{len(leaf)}{leaf}" in n and "by_hand" not in n}
        if not library:
            sys.exit(f"no kernel of the library for {leaf}")
        for name, code in library.items():
            counts = hand.total(), code.total()
            print(f"{leaf:52} {counts[0]:11} {counts[1]:11} {counts[1] / counts[0]:7.3f} {'same':>7}")
            if arguments.verbose:
                print(f"    {name}")
            difference = {op: code[op] - hand[op] for op in sorted(code | hand) if code[op] != hand[op]}
            if difference:
                print("    " + ", ".join(f"{op} {n:+}" for op, n in difference.items()))
            same &= counts[0] == counts[1]
    return 0 if same else 1


if __name__ == "__main__":
    sys.exit(main())
