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


def by_while_loop(A, tolerance, most):
    """The same as a torch.while_loop, compiled. PyTorch 2.11 does not capture it."""
    from torch._higher_order_ops.while_loop import while_loop

    rows = torch.repeat_interleave((A.crow_indices()[1:] - A.crow_indices()[:-1]).long())
    columns, values = A.col_indices().long(), A.values().clone()
    diagonal = torch.zeros(A.shape[0], dtype=values.dtype, device=values.device)
    diagonal[rows[rows == columns]] = values[rows == columns]

    def solve(b, rows, columns, values, inverse):
        goal = tolerance * tolerance * torch.dot(b, b)

        def body(k, x, r, p, rz, rr):
            Ap = torch.zeros_like(p).index_add(0, rows, values * p[columns])
            alpha = rz / (p * Ap).sum()
            r_next = r - alpha * Ap
            z = inverse * r_next
            rz_next = (r_next * z).sum()
            return k + 1, x + alpha * p, r_next, z + rz_next / rz * p, rz_next, (r_next * r_next).sum()

        p = inverse * b
        k = torch.zeros((), dtype=torch.int64, device=b.device)
        return while_loop(lambda k, x, r, p, rz, rr: (rr > goal) & (k < most), body, (k, torch.zeros_like(b), b.clone(), p, (b * p).sum(), (b * b).sum()))

    compiled = torch.compile(solve, fullgraph=True)
    return lambda b: compiled(b, rows, columns, values, 1 / diagonal)


def measure(name, A):
    b = A @ torch.ones(A.shape[0], dtype=torch.float64, device="cuda")
    parts = (A.crow_indices(), A.col_indices(), A.values(), b)
    most, tolerance = 10_000, 1e-8
    x, iterations = cograph_cg.solve(A, b, tolerance, most)
    count = iterations.item()
    graph = torch.cuda.CUDAGraph()
    with torch.cuda.graph(graph):
        replayed, _ = cograph_cg.solve(A, b, tolerance, most)
    graph.replay()
    launched, _ = torch.ops.cograph_cg.time_launches(*parts, tolerance, most, 1)
    for solution in (x, replayed, launched):
        assert (b - A @ solution).norm() <= 2 * tolerance * b.norm()
    eager, replay, launch = [], [], []
    for _ in range(5):  # by turns
        eager.append(microseconds(lambda: cograph_cg.solve(A, b, tolerance, most)) / count)
        replay.append(microseconds(graph.replay) / count)
        launch.append(torch.ops.cograph_cg.time_launches(*parts, tolerance, most, 7)[1] / count)
    eager, replay, launch = map(median, (eager, replay, launch))
    torch_x, torch_count = in_pytorch(A, b, tolerance, most)
    assert (b - A @ torch_x).norm() <= 1e-6 * b.norm()
    own = microseconds(lambda: in_pytorch(A, b, tolerance, most), 3) / torch_count
    loop = by_while_loop(A, tolerance, most)
    loop_count, loop_x, *_ = loop(b)
    assert (b - A @ loop_x).norm() <= 1e-6 * b.norm()
    compiled = microseconds(lambda: loop(b), 3) / loop_count.item()
    print(f"{name:14} {count:5} iterations, us an iteration: launched from C++ {launch:.3f}, in torch.cuda.graph {replay:.3f} ({replay / launch:.3f}), "
          f"operator {eager:.3f}, PyTorch with .item() {own:.2f} ({own / replay:.1f} times), "
          f"torch.while_loop, compiled {compiled:.2f} ({compiled / replay:.1f} times)", flush=True)


def host_time():
    """The host's time of calls whose results have the memory of the call before, and of calls whose results move."""
    A = poisson(2, "cuda")
    b = torch.ones(4, dtype=torch.float64, device="cuda")
    parts = (A.crow_indices(), A.col_indices(), A.values(), b)
    solve, nothing = torch.ops.cograph_cg.solve, torch.ops.cograph_cg.launch_nothing

    def sample(call, kept):
        begin = time.perf_counter()
        for _ in range(20):
            kept.append(call(*parts, 0.5, 1))
            if len(kept) > 3:
                kept.pop(0)
        time_of_call = 1e6 * (time.perf_counter() - begin) / 20
        torch.cuda.synchronize()
        return time_of_call

    def sample_in_place(call):
        begin = time.perf_counter()
        for _ in range(20):
            call(*parts, 0.5, 1)
        time_of_call = 1e6 * (time.perf_counter() - begin) / 20
        torch.cuda.synchronize()
        return time_of_call

    with torch.inference_mode():
        for what, take in [("stay", sample_in_place), ("move", lambda call, kept={solve: [], nothing: []}: sample(call, kept[call]))]:
            ours, empty = [], []
            for _ in range(220):  # by turns
                ours.append(take(solve))
                empty.append(take(nothing))
            ours, empty = median(ours[20:]), median(empty[20:])
            print(f"host time of a call, results {what}: {ours:.2f} us; the same operator with an empty kernel {empty:.2f} us (+ {ours - empty:.2f})", flush=True)


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
