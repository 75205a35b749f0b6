# SPDX-License-Identifier: Apache-2.0
"""Checks that old or unsuitable compilers and toolkits are refused with one sentence, and with little more.

usage: refusals.py REPOSITORY COMPILER... (g++ or clang++; older ones are played by macros)
"""
import pathlib
import subprocess
import sys

root, *compilers = sys.argv[1:]
root = pathlib.Path(root)
LONGEST = 20  # lines

CXX20 = "cograph needs C++20: compile with -std=c++20"
COMPILER = "cograph needs g++ 12, clang++ 14 or later ones"
NVCC = "cograph needs nvcc 12.8 or later"
HOST = "cograph needs g++ as the host compiler of nvcc: with clang++, nvcc loses members' initializers"
NO_NVCC = "cograph.cuh needs nvcc: name the file .cu and compile it with nvcc, or include <cograph.hpp>, which needs no CUDA"
TOOLKIT = "cograph needs CUDA 12.8 or later: ELSE and SWITCH are not in older toolkits"
old_toolkit = f"-I{root}/tests/versions/old_toolkit"
# The headers for users that need nvcc.
entries = [root / "include/cograph.cuh", *sorted((root / "include/cograph").glob("*.cuh")), *sorted((root / "include/cograph/join").glob("*.cuh"))]

wrong = 0
for compiler in compilers:
    name = pathlib.Path(compiler).name
    older = "-D__clang_major__=13" if "clang" in name else "-D__GNUC__=11"
    undefined = older.replace("-D", "-U").split("=")[0]
    cases = [("cograph.hpp", ["-std=c++17"], CXX20), ("cograph.hpp", ["-std=c++14"], CXX20),
             ("cograph/expr/node/node_spec.hpp", ["-std=c++17"], CXX20),
             ("cograph.hpp", ["-std=c++20", undefined, older], COMPILER),
             ("cograph.hpp", ["-std=c++20", "-D__CUDACC_VER_MAJOR__=12", "-D__CUDACC_VER_MINOR__=6"], NVCC),
             ("cograph.hpp", ["-std=c++20", "-D__CUDACC_VER_MAJOR__=11", "-D__CUDACC_VER_MINOR__=8"], NVCC),
             ("cograph/run/cuda/cuda_error.cuh", ["-std=c++20", old_toolkit], TOOLKIT)]
    cases += [(str(header.relative_to(root / "include")), ["-std=c++20"], NO_NVCC) for header in entries]
    if "clang" in name:
        cases.append(("cograph.hpp", ["-std=c++20", "-D__NVCC__"], HOST))
    for header, flags, sentence in cases:
        run = subprocess.run([compiler, *flags, f"-I{root}/include", "-x", "c++", "-fsyntax-only", "-"], text=True,
                             input=f"#include <{header}>\nint main() {{}}\n", capture_output=True, timeout=120)
        lines = run.stderr.splitlines()
        first = next((line for line in lines if "error" in line), "")
        if run.returncode == 0 or sentence not in first or len(lines) > LONGEST:
            wrong += 1
            print(f"{name} {' '.join(flags)} {header}: status {run.returncode}, {len(lines)} lines, first error: {first}")
    print(f"{name}: {len(cases)} checked")
sys.exit(wrong > 0)
