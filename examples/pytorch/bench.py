# SPDX-License-Identifier: Apache-2.0
"""Measures the operator on a GPU: the host's time of a call, and systems of a 512 by 512 grid and of a Matrix Market file.

usage: bench.py [FILE.mtx]
"""
import sys
import time

import torch

import cograph_cg
from test_cograph_cg import poisson  # beside this file


def median(values):
    return sorted(values)[len(values) // 2]


def microseconds(run, times=7):
    run()
    torch.cuda.synchronize()
    samples = []
    for _ in range(times):
        begin = time.perf_counter()
        run()
        torch.cuda.synchronize()
        samples.append(1e6 * (time.perf_counter() - begin))
    return median(samples)


def in_pytorch(A, b, tolerance, most):
    """The same method of PyTorch's own operations; .item() each iteration, as one writes it."""
    diagonal = torch.zeros_like(b)
    rows = torch.repeat_interleave(A.crow_indices()[1:] - A.crow_indices()[:-1])
    on = rows == A.col_indices()
    diagonal[rows[on]] = A.values()[on]
    inverse = 1 / diagonal
    x, r = torch.zeros_like(b), b.clone()
    p = inverse * r
    rz, goal = torch.dot(r, p), (tolerance * tolerance * torch.dot(b, b)).item()
    iterations = 0
    while torch.dot(r, r).item() > goal and iterations < most:
        Ap = A @ p
        alpha = rz / torch.dot(p, Ap)
        x += alpha * p
        r -= alpha * Ap
        z = inverse * r
        rz_next = torch.dot(r, z)
        p = z + rz_next / rz * p
        rz = rz_next
        iterations += 1
    return x, iterations


def measure(name, A):
    b = A @ torch.ones(A.shape[0], dtype=torch.float64, device="cuda")
    most, tolerance = 10_000, 1e-8
    x, iterations = cograph_cg.solve(A, b, tolerance, most)
    count = iterations.item()
    eager = microseconds(lambda: cograph_cg.solve(A, b, tolerance, most)) / count
    graph = torch.cuda.CUDAGraph()
    with torch.cuda.graph(graph):
        cograph_cg.solve(A, b, tolerance, most)
    replay = microseconds(graph.replay) / count
    torch_count = in_pytorch(A, b, tolerance, most)[1]
    own = microseconds(lambda: in_pytorch(A, b, tolerance, most), 3) / torch_count
    print(f"{name:24} {count:5} iterations: operator {eager:7.2f}, in torch.cuda.graph {replay:7.2f}, PyTorch with .item() {own:7.2f} us an iteration "
          f"({own / replay:.1f} times)")


def host_time():
    A = poisson(2, "cuda")
    b = torch.ones(4, dtype=torch.float64, device="cuda")
    parts = (A.crow_indices(), A.col_indices(), A.values(), b)

    def samples(call):
        for _ in range(200):
            call()
        torch.cuda.synchronize()
        times = []
        for _ in range(50):
            begin = time.perf_counter()
            for _ in range(20):
                call()
            times.append(1e6 * (time.perf_counter() - begin) / 20)
            torch.cuda.synchronize()
        return median(times)

    with torch.inference_mode():
        ours = samples(lambda: torch.ops.cograph_cg.solve(*parts, 0.5, 1))
        empty = samples(lambda: torch.ops.cograph_cg.launch_nothing(*parts, 0.5, 1))
    print(f"host time of a call: {ours:.2f} us; of the same operator with an empty kernel: {empty:.2f} us")


def read_matrix_market(path):
    lines = [line for line in open(path) if not line.startswith("%")]
    n, _, _ = map(int, lines[0].split())
    rows, columns, values = zip(*((int(r) - 1, int(c) - 1, float(v)) for r, c, v in (line.split() for line in lines[1:] if line.strip())))
    rows, columns, values = torch.tensor(rows), torch.tensor(columns), torch.tensor(values, dtype=torch.float64)
    off = rows != columns
    places = torch.stack([torch.cat([rows, columns[off]]), torch.cat([columns, rows[off]])])
    A = torch.sparse_coo_tensor(places, torch.cat([values, values[off]]), (n, n)).coalesce().to_sparse_csr()
    return torch.sparse_csr_tensor(A.crow_indices().int(), A.col_indices().int(), A.values(), A.shape, device="cuda")


if __name__ == "__main__":
    if not torch.cuda.is_available():
        print("no GPU: nothing is measured")
        sys.exit(0)
    print(torch.cuda.get_device_name(), "PyTorch", torch.__version__)
    host_time()
    measure("Poisson 512^2", poisson(512, "cuda", index=torch.int32))
    for path in sys.argv[1:]:
        measure(path.rsplit("/", 1)[-1], read_matrix_market(path))
