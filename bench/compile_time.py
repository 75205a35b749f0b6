#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Compile time and peak memory of nvcc: programs of N nodes, with the library and written by hand.

Two kinds of node: __global__ functions, and function objects in for_each (by hand: each body its own kernel). Each pair of
programs has the same kernels, arguments and graph. Repetitions are interleaved; the figures are the least of processor
seconds (user + system, all of nvcc's processes): other work on the machine only ever adds to them; memory is that of the largest single process.
"""
import argparse
import collections
import json
import os
import pathlib
import subprocess
import sys
import tempfile
import time

ROOT = pathlib.Path(__file__).resolve().parent.parent
VECTORS = 8  # node i reads vector i and the last one, and writes vector i + 1
TARGETS = {"kernel": {10: 1.3, 100: 1.5, 1000: 2.0}, "object": {10: 1.5, 100: 2.0, 1000: 3.0}}
GROWTH, MEMORY = 12, 2

HAND_PROLOGUE = """#include <cuda_runtime.h>
#include <cstdio>
#include <cstdlib>
static void check(cudaError_t status) {
    if (status == cudaSuccess) return;
    std::printf("%s\\n", cudaGetErrorString(status));
    std::exit(1);
}
"""
HAND_ADD = """static cudaGraphNode_t add(cudaGraph_t g, const cudaGraphNode_t* after, int count, const void* f, void** arguments) {
    cudaGraphNodeParams p{};
    p.type = cudaGraphNodeTypeKernel;
    p.kernel.func = const_cast<void*>(f);
    p.kernel.gridDim = dim3(4);
    p.kernel.blockDim = dim3(256);
    p.kernel.kernelParams = arguments;
    cudaGraphNode_t node;
    check(cudaGraphAddNode(&node, g, after, nullptr, count, &p));
    return node;
}
"""
MEMORY_FOR_VECTORS = f"""    float* p[{VECTORS + 1}];
    for (auto& q : p) check(cudaMalloc(&q, 4096));
"""


def kernel(i):
    return (f"__global__ void k{i}(const float* a, const float* b, float* c, int n) {{\n"
            f"    const int i = blockIdx.x * blockDim.x + threadIdx.x;\n"
            f"    if (i < n) c[i] = a[i] * {i}.0f + b[i];\n}}\n")


def functor(i):
    return (f"struct f{i} {{\n    COGRAPH_HD void operator()(index_t i, const float* a, const float* b, float* c) const {{\n"
            f"        c[i] = a[i] * {i}.0f + b[i];\n    }}\n}};\n")


def hand(n):
    lines = [HAND_PROLOGUE, HAND_ADD, *map(kernel, range(n)), "int main() {\n", MEMORY_FOR_VECTORS,
             f"    int n = 1024;\n    cudaGraph_t g;\n    check(cudaGraphCreate(&g, 0));\n    cudaGraphNode_t node[{n}];\n"]
    for i in range(n):
        after = f"&node[{i - 1}], 1" if i else "nullptr, 0"
        lines.append(f"    {{\n        void* arguments[] = {{&p[{i % VECTORS}], &p[{VECTORS}], &p[{(i + 1) % VECTORS}], &n}};\n"
                     f"        node[{i}] = add(g, {after}, (const void*)k{i}, arguments);\n    }}\n")
    lines.append("    cudaGraphExec_t e;\n    check(cudaGraphInstantiate(&e, g, 0));\n"
                 "    check(cudaGraphLaunch(e, nullptr));\n    check(cudaDeviceSynchronize());\n}\n")
    return "".join(lines)


def library(kind, n, local):
    nodes = []
    for i in range(n):
        target = f"v{(i + 1) % VECTORS}"
        a, b, c = f"in(v{i % VECTORS})", f"in(v{VECTORS})", f"out({target})"
        nodes.append(f"    kernel<k{i}>(over({target}))({a}, {b}, {c}, extent({target}))" if kind == "kernel"
                     else f"    for_each(over({target}), f{i}{{}})({a}, {b}, {c})")
    expression = "seq(\n" + ",\n".join(nodes) + ")"
    lines = ["#include <cograph.cuh>\n", HAND_PROLOGUE, "using namespace cograph;\n"]
    lines += map(kernel if kind == "kernel" else functor, range(n))
    lines += [f"inline constexpr struct v{i} : buffer<v{i}, float> {{}} v{i};\n" for i in range(VECTORS + 1)]
    if not local:
        lines.append(f"constexpr auto solve = {expression};\n")
        expression = "solve"
    bindings = ", ".join(f"v{i}(p[{i}], 1024)" for i in range(VECTORS + 1))
    lines += ["int main() {\n", MEMORY_FOR_VECTORS, f"    auto e = instantiate({expression}, {bindings});\n",
              "    e.launch(nullptr);\n    check(cudaDeviceSynchronize());\n}\n"]
    return "".join(lines)


Cost = collections.namedtuple("Cost", "processor wall megabytes")


def compile_once(command):
    begin = time.monotonic()
    with tempfile.TemporaryFile() as said:
        process = subprocess.Popen(command, stdout=said, stderr=subprocess.STDOUT)
        _, status, usage = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
        if process.returncode:
            said.seek(0)
            sys.exit(f"{' '.join(command)} failed:\n{said.read()[:2000].decode(errors='replace')}")
    return Cost(usage.ru_utime + usage.ru_stime, time.monotonic() - begin, usage.ru_maxrss / 1024)


def instantiations(command, folder):
    """How many templates the front end instantiated, for the device and for the host together."""
    compile_once([*command, "-fdevice-time-trace", f"{folder}/trace"])
    events = json.loads(pathlib.Path(f"{folder}/trace.json").read_text())["traceEvents"]
    return sum(e.get("name", "").startswith("Instantiating Template") for e in events)


def phases(command, folder):
    """Seconds in each program that nvcc runs."""
    times = pathlib.Path(folder) / "phases.csv"
    times.unlink(missing_ok=True)
    compile_once([*command, "--time", str(times)])
    seconds = collections.Counter()
    for line in times.read_text().splitlines()[1:]:
        name, milliseconds = line.split(" , ")[1], line.split(" , ")[-2]
        seconds[name.split(" (")[0]] += float(milliseconds) / 1000
    return seconds


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--nvcc", default="nvcc")
    parser.add_argument("--arch", default="sm_90")
    parser.add_argument("--repetitions", type=int, default=5)
    parser.add_argument("--quick", action="store_true", help="10 and 100 nodes three times, 1000 once")
    parser.add_argument("--local", action="store_true",
                        help="expressions inside the call of instantiate, not constexpr at namespace scope")
    parser.add_argument("--count", action="store_true", help="also the templates instantiated for each node")
    parser.add_argument("--phases", action="store_true", help="also the seconds in each program that nvcc runs")
    parser.add_argument("--keep", metavar="FOLDER", help="leave the programs there")
    arguments = parser.parse_args()

    folder = pathlib.Path(arguments.keep or tempfile.mkdtemp())
    folder.mkdir(parents=True, exist_ok=True)

    def command(name):
        return [arguments.nvcc, "-std=c++20", f"-arch={arguments.arch}", f"-I{ROOT / 'include'}", "-c",
                str(folder / f"{name}.cu"), "-o", str(folder / f"{name}.o")]

    def row(what, by_hand, own, target=None):
        print(f"{what:52} {by_hand:11.2f} {own:11.2f} {own / by_hand:7.2f} {target or '-':>7}", flush=True)

    print("compile time")
    print(f"{'what':52} {'by hand':>11} {'cograph':>11} {'ratio':>7} {'target':>7}")
    for kind, words in (("kernel", "__global__ nodes"), ("object", "function-object nodes")):
        seconds = {}
        for n in (10, 100, 1000):
            programs = {f"{kind}_{n}_hand": hand(n), f"{kind}_{n}_cograph": library(kind, n, arguments.local)}
            samples = {name: [] for name in programs}
            for name, text in programs.items():
                (folder / f"{name}.cu").write_text(text)
            times = (1 if n == 1000 else 3) if arguments.quick else arguments.repetitions
            for _ in range(times):
                for name in programs:
                    samples[name].append(compile_once(command(name)))
            by_hand, own = (Cost(*map(min, zip(*samples[name]))) for name in programs)
            seconds[n] = own.processor
            row(f"{n} {words}: processor (s)", by_hand.processor, own.processor, TARGETS[kind][n])
            row(f"{n} {words}: wall (s)", by_hand.wall, own.wall)
            row(f"{n} {words}: peak memory (MB)", by_hand.megabytes, own.megabytes, MEMORY if n == 1000 else None)
            if arguments.count:
                counts = [instantiations(command(name), folder) for name in programs]
                row(f"{n} {words}: templates, a node", *(c / n for c in counts))
            if arguments.phases:
                by_hand, own = (phases(command(name), folder) for name in programs)
                for phase in ("cudafe++", "cicc", "ptxas", "gcc"):
                    row(f"{n} {words}: {phase} (s)", by_hand[phase], own[phase])
        print(f"{'from 100 to 1000 ' + words + ', times':52} {'':11} {seconds[1000] / seconds[100]:11.2f} {'':7} {GROWTH:>7}")


if __name__ == "__main__":
    main()
