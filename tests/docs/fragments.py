#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Tries the code of other tools that the documentation quotes: fragments.py [--install FOLDER] [CXX [NVCC]]

Every file of other_tools is at least parsed. A file of Python is run if its package is installed: Warp on a CPU too, CuPy's with NumPy in its place, PyTorch's
if there is a GPU, and the call of the shared library without PyTorch with a stand-in for the tensor. CUDASTF and muda are compiled if the environment
variables CCCL and MUDA name folders of their sources, and run if there is a GPU. A line for each file says what was done. With --install, Warp and NumPy are
installed from the package index into a virtual environment in FOLDER, if this Python lacks them and the machine reaches the index.
"""
import ast
import importlib.util
import os
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

PACKAGES = {"warp": "warp-lang==1.19.0", "numpy": "numpy==2.2.6"}
HERE = Path(__file__).resolve().parent
TOOLS = HERE / "other_tools"
INCLUDE = HERE.parents[1] / "include"


def has_gpu():
    return shutil.which("nvidia-smi") is not None and subprocess.run(["nvidia-smi", "-L"], capture_output=True).returncode == 0


def has(package):
    return importlib.util.find_spec(package) is not None


def run(command, folder, **environment):
    """Nothing, or the end of what a command that failed printed."""
    done = subprocess.run([str(part) for part in command], cwd=folder, env={**os.environ, "PYTHONDONTWRITEBYTECODE": "1", **environment}, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    return "" if done.returncode == 0 else f"failed ({done.returncode}): {' '.join(map(str, command))}\n{done.stdout[-2000:]}"


def installed(folder):
    """The Python of a virtual environment with the packages that this one lacks, or this one."""
    lacking = [requirement for package, requirement in PACKAGES.items() if not has(package)]
    python = Path(folder, "bin/python")
    ready = Path(folder, "ready")
    if not lacking or ready.exists():
        return python if lacking else Path(sys.executable)
    wrong = run([sys.executable, "-m", "venv", "--system-site-packages", folder], HERE) or \
        run([python, "-m", "pip", "install", "-q", "--disable-pip-version-check", "--retries", "1", "--timeout", "20", "--only-binary=:all:", *lacking], HERE)
    if wrong:
        print(f"not installed: {', '.join(lacking)}")
        return Path(sys.executable)
    ready.touch()
    return python


def warp(folder, gpu):
    if not has("warp"):
        return "only parsed: no warp", ""
    return "run", run([sys.executable, TOOLS / "warp_loop.py"], folder)


def cupy(folder, gpu):
    if not has("numpy") and not has("cupy"):
        return "only parsed: no cupy, no numpy", ""
    return "run" if gpu and has("cupy") else "run with numpy in cupy's place", run([sys.executable, TOOLS / "cupy_loop.py"], folder)


def torch(folder, gpu):
    if not gpu or not has("torch"):
        return "only parsed: no GPU or no torch", ""
    return "run", run([sys.executable, TOOLS / "torch_loop.py"], folder)


def share_memory(folder, gpu):
    whole = gpu and has("torch") and NVCC
    if not whole and not CXX:
        return "only parsed: no compiler", ""
    make = [NVCC, "-arch=native", "-Xcompiler", "-fPIC"] if whole else [CXX, "-x", "c++", "-fPIC"]
    wrong = run([*make, "-std=c++20", "-shared", "-I", INCLUDE, TOOLS / "shrink.cu", "-o", "libshrink.so"], folder)
    path = {} if whole else {"PYTHONPATH": str(TOOLS / "stand_in")}
    return "run" if whole else "run with a stand-in for the tensor, simulated", wrong or run([sys.executable, TOOLS / "share_memory.py"], folder, **path)


def compiled(source, variable, parts, options=()):
    def compile_it(folder, gpu):
        place = os.environ.get(variable)
        if not place or not NVCC:
            return f"left out: {variable} does not name its sources", ""
        includes = [f"-I{place}/{part}" for part in parts]
        program = Path(folder) / source.removesuffix(".cu")
        wrong = run([NVCC, "-std=c++20", "-arch=native" if gpu else "-arch=sm_90", "--extended-lambda", "--expt-relaxed-constexpr", *includes,
                     TOOLS / source, "-o", program, *options], folder)
        return "run" if gpu else "compiled", wrong or (run([program], folder) if gpu else "")
    return compile_it


TRIED = {
    "warp_loop.py": warp,
    "cupy_loop.py": cupy,
    "torch_loop.py": torch,
    "share_memory.py": share_memory,
    "cudastf.cu": compiled("cudastf.cu", "CCCL", ("cudax/include", "libcudacxx/include", "cub", "thrust"), ("-lcuda",)),
    "muda.cu": compiled("muda.cu", "MUDA", ("src",)),
    "shrink.cu": None,  # with share_memory.py
}


def main():
    failed = False
    gpu = has_gpu()
    files = {path.name for path in TOOLS.iterdir() if path.is_file()}
    for name in sorted(files ^ set(TRIED)):
        print(f"{name}: not in other_tools, or not in the list of this test")
        failed = True
    for name, how in TRIED.items():
        if name.endswith(".py"):
            ast.parse((TOOLS / name).read_text(encoding="utf-8"), name)
        if how:
            with tempfile.TemporaryDirectory() as folder:
                done, wrong = how(folder, gpu)
            print(f"{name}: {wrong or done}")
            failed |= bool(wrong)
    return failed


if __name__ == "__main__":
    if sys.argv[1:2] == ["--install"]:
        os.execv(python := str(installed(sys.argv[2])), [python, __file__, *sys.argv[3:]])
    CXX, NVCC = (sys.argv[1:] + ["", ""])[:2]
    sys.exit(main())
