#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Runs the commands and the CMake code of the documentation, from the pages: commands.py [CXX [NVCC]]

Every line of a block of shell on a page must be in COMMANDS, which says how it is run, or where else. Blocks of CMake become the end of a CMakeLists.txt
with a target your_program, which is configured, built and run.
"""
import os
import re
import shlex
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
PAGES = [ROOT / "README.md", ROOT / "CONTRIBUTING.md", *sorted((ROOT / "docs").rglob("*.md"))]

# A line of a page, without its comment: "run" is run in a folder that has what a reader has there, and prints what the comment says, if it says
# something; "compile" does so if there is a GPU, else it is compiled for compute capability 9.0. Else: the test that runs it.
GXX_SAMPLE = "g++ -std=c++20 -x c++ -I include examples/quickstart/quickstart.cu -o quickstart"
COMMANDS = {
    "./quickstart": "run",  # of the line before it
    GXX_SAMPLE: "the line after it runs it",
    "nvcc -std=c++20 -arch=native -I include examples/quickstart/quickstart.cu -o quickstart": "compile",
    "g++ -std=c++20 -x c++ -I cograph/include program.cu -o program": "run",
    "nvcc -std=c++20 -arch=native -I cograph/include program.cu -o program": "the sample is compiled in the same way",
    "g++ -std=c++20 -I cograph/include first_loop.cpp -o first_loop && ./first_loop": "run",
    "python3 tests/random/shrink.py --seed 1 --program 17 -- g++ -std=c++20 -I include": "run",
    "python3 docs/quote.py --write": "docs_quotes",
    "bash examples/run": "tests/run builds and runs the examples",
    "bash tests/run": "the run of all tests",
    "cmake --preset default && cmake --build --preset default && ctest --preset default": "presets are listed",
    "cd examples/pytorch && pip install --no-build-isolation .": "example_pytorch",
    "cd examples/jax && pip install --no-build-isolation .": "example_jax",
}
PRINTS = {"./first_loop": "sweeps", "shrink.py": "the program does not go wrong"}


def blocks(language):
    """Every block of a language: its page and its lines."""
    for page in PAGES:
        for found in re.finditer(rf"^```{language}\n(.*?)^```$", page.read_text(encoding="utf-8"), re.M | re.S):
            yield page.relative_to(ROOT).as_posix(), found[1].splitlines()


def execute(command, folder):
    """What a command prints, and its exit status."""
    done = subprocess.run(command, cwd=folder, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, shell=isinstance(command, str))
    return done.stdout, done.returncode


def has_gpu():
    return shutil.which("nvidia-smi") is not None and subprocess.run(["nvidia-smi", "-L"], capture_output=True).returncode == 0


def reader(folder):
    """A folder with what a reader of the pages has there: a clone in two places, and a program."""
    for name in ("include", "examples", "tests"):
        os.symlink(ROOT / name, Path(folder, name))
    os.symlink(ROOT, Path(folder, "cograph"))
    shutil.copy(ROOT / "examples/quickstart/quickstart.cu", Path(folder, "program.cu"))
    shutil.copy(ROOT / "tests/docs/first_loop.cpp", folder)


def try_command(line, comment):
    """What was done with a line of shell, and what went wrong."""
    how = COMMANDS.get(line)
    if how is None:
        return "", f"{line} is not in the list of commands.py"
    if line == "./quickstart":
        line = f"{GXX_SAMPLE} && {line}"
    if line.startswith("cmake --preset"):
        told, status = execute(["cmake", "--list-presets=all", str(ROOT)], ROOT)
        return how, "" if status == 0 and told.count('"default"') >= 3 else told
    if how == "compile" and not NVCC:
        return "left out: no nvcc", ""
    if how == "compile" and not has_gpu():
        line, how = line.replace("native", "sm_90"), "compiled, without a GPU"
    if how not in ("run", "compile", "compiled, without a GPU"):
        return how, ""
    with tempfile.TemporaryDirectory() as folder:
        reader(folder)
        told, status = execute(line.replace("g++", shlex.quote(CXX), 1).replace("nvcc", shlex.quote(NVCC) if NVCC else "nvcc", 1), folder)
    prints = next((text for command, text in PRINTS.items() if command in line), "")
    prints = comment if comment and "&&" in line and re.search(r"\d", comment) else prints
    fine = prints in told if prints else status == 0
    return how, "" if fine else f"prints {told[-1500:]!r} ({status}), not {prints!r}"


def shell():
    failed = False
    seen = {}
    for page, lines in blocks("sh"):
        for line in lines:
            command, _, comment = line.partition("#")
            command = re.sub(r"\s+", " ", command.strip())
            if command and (command, comment) not in seen:
                seen[command, comment] = try_command(command, comment.strip())
                done, wrong = seen[command, comment]
                print(f"{page}: {command}\n    {wrong or done}")
                failed |= bool(wrong)
    unused = set(COMMANDS) - {command for command, _ in seen}
    for command in sorted(unused):
        print(f"no page has: {command}")
    return failed or bool(unused)


def with_alternative(lines):
    """The parts of a block that has another way in comments after "or:"."""
    at = next((n for n, line in enumerate(lines) if line.startswith("# or: ")), None)
    if at is None:
        return [lines]
    end = next(n for n in range(at, len(lines)) if not lines[n].startswith("#"))
    other = [re.sub(r"^# +(?:or: )?", "", line) for line in lines[at:end]]
    return [lines[:at] + lines[end:], other + lines[end:]]


def cmake():
    failed = False
    commit, no_git = execute(["git", "-C", str(ROOT), "rev-parse", "HEAD"], ROOT)
    with tempfile.TemporaryDirectory() as folder:
        told, status = execute(["cmake", "-S", str(ROOT), "-B", f"{folder}/build", "-DCOGRAPH_CUDA=OFF", "-DCOGRAPH_BUILD_TESTS=OFF", "-DCOGRAPH_BUILD_EXAMPLES=OFF",
                                "-DCOGRAPH_BUILD_BENCH=OFF", f"-DCMAKE_CXX_COMPILER={CXX}"], folder)
        if status == 0:
            told, status = execute(["cmake", "--install", f"{folder}/build", "--prefix", f"{folder}/installed"], folder)
        if status:
            print(told[-2000:])
            return True
        number = 0
        for page, block in blocks("cmake"):
            for lines in with_alternative(block):
                text = "\n".join(lines)
                number += 1
                name = f"{page}: {lines[0]} ..."
                if "CPMAddPackage" in text:
                    print(f"{name}\n    package_cpm")
                    continue
                if "GIT_REPOSITORY file" in text and no_git:
                    print(f"{name}\n    left out: this is no clone")
                    continue
                text = text.replace("file:///path/to/cograph", f"file://{ROOT}").replace("/path/to/cograph", str(ROOT)).replace("GIT_TAG main", f"GIT_TAG {commit.strip()}")
                user = Path(folder, f"user{number}")
                user.mkdir()
                linked = "" if "target_link_libraries" in text else "find_package(cograph REQUIRED)\ntarget_link_libraries(your_program PRIVATE cograph::cograph)\n"
                (user / "CMakeLists.txt").write_text("cmake_minimum_required(VERSION 3.25)\nproject(user LANGUAGES CXX)\nadd_executable(your_program quickstart.cu)\n"
                                                     f"{linked}{text}\nset_source_files_properties(quickstart.cu PROPERTIES LANGUAGE CXX)\n", encoding="utf-8")
                shutil.copy(ROOT / "examples/quickstart/quickstart.cu", user)
                wrong = ""
                for command in (["cmake", "-S", str(user), "-B", f"{user}/build", f"-DCMAKE_PREFIX_PATH={folder}/installed", f"-DCMAKE_CXX_COMPILER={CXX}"],
                                ["cmake", "--build", f"{user}/build"], [f"{user}/build/your_program"]):
                    told, status = execute(command, folder)
                    if status:
                        wrong = told[-2000:]
                        break
                print(f"{name}\n    {wrong or 'built and run'}")
                failed |= bool(wrong)
    return failed


if __name__ == "__main__":
    CXX, NVCC = (sys.argv[1:] + ["g++", ""][len(sys.argv) - 1:])[:2]
    wrong_shell, wrong_cmake = shell(), cmake()
    sys.exit(wrong_shell or wrong_cmake)
