#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Makes a random program that goes wrong as small as it can be: shrink.py --seed 1 --program 17 -- g++ -std=c++20 -I include

The words behind -- compile; where the compiler is nvcc, the ways that need a GPU are run too. Prints the smallest program
that still goes wrong and leaves its source in --output. What goes wrong now and then: --run="--threads 8 --launches 20000".
"""
import argparse
import copy
import subprocess
import sys
import tempfile
import threading
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from generate import file_text, main_text, program
from programs import problems

HERE = Path(__file__).resolve().parent


def smaller(tree):
    """All trees that are a step smaller: a part or a limit left out, or a group or control replaced by one of its parts.

    The last node of a loop's body stays: it is what ends the loop.
    """
    paths = [[]]
    for path in paths:
        paths += [[*path, i] for i in range(len(at(tree, path).children))]
    for path in paths:
        node = at(tree, path)
        if node.most or node.every > 1:
            changed = copy.deepcopy(tree)
            at(changed, path).most, at(changed, path).every = None, 1
            yield changed
        is_body = bool(path) and at(tree, path[:-1]).kind in ("while", "do")
        for i in range(len(node.children) - is_body):
            if node.kind in ("seq", "par", "switch") and len(node.children) > 1:
                changed = copy.deepcopy(tree)
                del at(changed, path).children[i]
                yield changed
            if not is_body:
                yield replaced(tree, path, node.children[i])


def at(tree, path):
    for i in path:
        tree = tree.children[i]
    return tree


def replaced(tree, path, node):
    if not path:
        return copy.deepcopy(node)
    changed = copy.deepcopy(tree)
    at(changed, path[:-1]).children[path[-1]] = copy.deepcopy(node)
    return changed


def steps(tree, *lengths):
    """All programs that are a step smaller than this one, and well-formed."""
    for candidate in smaller(tree):
        if not problems(candidate):
            yield candidate, *lengths
    for i, length in enumerate(lengths):
        if length > 0:
            yield tree, *lengths[:i], length // 2, *lengths[i + 1:]


def shrink(tree, *lengths, fails, jobs=1):
    """The smallest program near this one that is well-formed and fails."""
    smallest = found = (tree, *lengths)
    while found:
        smallest = found
        candidates = list(steps(*smallest))
        with ThreadPoolExecutor(jobs) as pool:
            answers = pool.map(lambda candidate: fails(*candidate), candidates)
            found = next((candidate for candidate, failed in zip(candidates, answers) if failed), None)
            pool.shutdown(cancel_futures=True)
    return smallest


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--seed", type=int, required=True)
    parser.add_argument("--program", type=int, required=True)
    parser.add_argument("--output", type=Path, default=Path("smallest.cpp"))
    parser.add_argument("--timeout", type=int, default=60)
    parser.add_argument("--run", default="", help="arguments that the programs are run with")
    parser.add_argument("--jobs", type=int, default=1, help="programs that are compiled at once; they run one at a time")
    parser.add_argument("compile", nargs="+")
    arguments = parser.parse_args()
    title = f"seed {arguments.seed}, program {arguments.program}, made smaller"
    as_cuda = ["-x", "cu"] if "nvcc" in arguments.compile[0] else []
    one_at_a_time = threading.Lock()

    def fails(tree, *lengths):
        with tempfile.TemporaryDirectory() as folder:
            source, main_file, binary = (Path(folder) / name for name in ("program.cpp", "main.cpp", "program"))
            source.write_text(file_text([(title, tree, *lengths)], "check_0"))
            main_file.write_text(main_text(["check_0"], 1))
            built = subprocess.run([*arguments.compile, "-I", str(HERE), *as_cuda, str(source), str(main_file), "-o", str(binary)],
                                   capture_output=True, text=True)
            if built.returncode != 0:
                return True
            try:
                with one_at_a_time:
                    return subprocess.run([str(binary), *arguments.run.split()], capture_output=True, timeout=arguments.timeout).returncode != 0
            except subprocess.TimeoutExpired:
                return True

    found = program(arguments.seed, arguments.program)
    if not fails(*found):
        sys.exit("the program does not go wrong")
    tree, *lengths = shrink(*found, fails=fails, jobs=arguments.jobs)
    arguments.output.write_text(file_text([(title, tree, *lengths)], "check_0"))
    print(arguments.output.read_text())


if __name__ == "__main__":
    main()
