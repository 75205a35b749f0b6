# SPDX-License-Identifier: Apache-2.0
"""What the scripts of this folder share: their lines look like those of the benchmarks."""
import importlib
import statistics
import sys
import time

ITERATIONS = 5000  # of loops that do next to nothing


def load(peer, *modules):
    """Imports modules; ends the script with a line when one is missing or fails."""
    try:
        return [importlib.import_module(module) for module in modules]
    except Exception as problem:  # packages fail in many ways where there is no GPU
        skip(peer, f"{type(problem).__name__}: {problem}")


def skip(peer, reason):
    lines = str(reason).strip().splitlines()
    print(f"SKIP: {peer}: {lines[0][:160] if lines else 'failed'}")
    sys.exit()


def measure(peer, what, run, iterations, check, repetitions=5):
    """Prints the median time of an iteration in microseconds. A peer that fails or is wrong says so in a line."""
    try:
        run()
        samples = []
        for _ in range(repetitions):
            begin = time.perf_counter()
            run()
            samples.append((time.perf_counter() - begin) * 1e6 / iterations)
        if not check():
            raise ValueError("wrong result")
        print(f"{peer + ': ' + what:<60} {statistics.median(samples):11.3f}", flush=True)
    except Exception as problem:
        lines = str(problem).strip().splitlines()
        print(f"{peer + ': ' + what:<60} {'failed':>11} ({type(problem).__name__}: {lines[0][:120] if lines else ''})", flush=True)
