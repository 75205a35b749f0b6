# SPDX-License-Identifier: Apache-2.0
"""Measures the solver against jax.scipy.sparse.linalg.cg on a GPU, on systems of a 512 by 512 grid and of Matrix Market files.

Each runs twice, in processes of their own: with XLA's defaults, and with loops in command buffers. JAX's solver has the same preconditioner
and does as many iterations, with the matrix in each form that JAX has for it, with rows padded to the longest, and, if small, dense. Systems of at
most 2048 equations are solved once a call, and ten times a call.

usage: bench.py [FILE.mtx]...
"""
import os
import subprocess
import sys
import time

WAYS = {"defaults": "", "command buffers": " --xla_gpu_enable_command_buffer=+WHILE,+CONDITIONAL --xla_gpu_graph_min_graph_size=1"}
if "WAY" not in os.environ:
    for way, flags in WAYS.items():
        environment = {**os.environ, "WAY": way, "XLA_FLAGS": os.environ.get("XLA_FLAGS", "") + flags}
        subprocess.run([sys.executable, *sys.argv], env=environment, check=True)
    sys.exit()

import jax

jax.config.update("jax_enable_x64", True)

import jax.numpy as jnp
import numpy as np
import scipy.io
import scipy.sparse
from jax.experimental import sparse

import cograph_cg_jax


def poisson(m):
    line = scipy.sparse.diags([-1, 2, -1], [-1, 0, 1], shape=(m, m))
    one = scipy.sparse.identity(m)
    return (scipy.sparse.kron(line, one) + scipy.sparse.kron(one, line)).tocsr()


def microseconds(run, times=15):
    """Medians, by turns."""
    for one in run:
        one().block_until_ready()
    samples = [[] for _ in run]
    for _ in range(times):
        for one, of in zip(run, samples):
            begin = time.perf_counter()
            one().block_until_ready()
            of.append(1e6 * (time.perf_counter() - begin))
    return [sorted(of)[times // 2] for of in samples]


def measure(name, A):
    A.sort_indices()
    data, indices, indptr = jnp.array(A.data), jnp.array(A.indices, jnp.int32), jnp.array(A.indptr, jnp.int32)
    rows = jnp.array(np.repeat(np.arange(A.shape[0], dtype=np.int32), np.diff(A.indptr)))
    right = A @ np.ones(A.shape[0])
    b, inverse = jnp.array(right), jnp.array(1 / A.diagonal())
    count = int(cograph_cg_jax.solve(data, indices, indptr, b, 1e-8)[1])
    matrix = sparse.BCSR((data, indices, indptr), shape=A.shape)

    def theirs(times_A):
        return lambda b: jax.scipy.sparse.linalg.cg(times_A, b, tol=0.0, atol=0.0, maxiter=count, M=lambda v: inverse * v)[0]

    # Each row padded to the longest one. cuSPARSE (jax_bcoo_cusparse_lowering) takes longer than all of these.
    lengths = np.diff(A.indptr)
    inside = np.arange(lengths.max()) < lengths[:, None]
    padded, columns = np.zeros(inside.shape), np.zeros(inside.shape, np.int32)
    padded[inside], columns[inside] = A.data, A.indices
    padded, columns = jnp.array(padded), jnp.array(columns)
    ways = {"cograph": lambda b: cograph_cg_jax.solve(data, indices, indptr, b, 1e-8)[0],
            "BCSR": theirs(lambda v: matrix @ v),
            "segment_sum": theirs(lambda v: jax.ops.segment_sum(data * v[indices], rows, num_segments=A.shape[0], indices_are_sorted=True)),
            "padded rows": theirs(lambda v: (padded * v[columns]).sum(1))}
    small = A.shape[0] <= 2048
    if small:
        dense = jnp.array(A.toarray())
        ways["dense"] = theirs(lambda v: dense @ v)
    programs = {"one system": [jax.jit(solve) for solve in ways.values()]}
    if small:  # each system has the solution of the one before in its right side, by a part too small to change a digit
        ten = lambda solve: lambda b: jax.lax.fori_loop(0, 10, lambda _, x: solve(b + 1e-200 * x), b)
        programs["ten systems"] = [jax.jit(ten(solve)) for solve in ways.values()]
    for ours, *others in programs.values():
        for program in [ours, *others]:
            assert np.linalg.norm(right - A @ np.asarray(program(b))) <= (2e-8 if program is ours else 1e-7) * np.linalg.norm(right)
    least = jax.jit(lambda b: cograph_cg_jax.solve(data, indices, indptr, b, 1e-8, max_iterations=1)[0])
    call, *times = microseconds([lambda program=program: program(b) for program in [least, *sum(programs.values(), [])]])
    print(f"{name}, {count} iterations, {os.environ['WAY']}: a call of one iteration {call:.0f} us")
    for what in programs:
        iterations = count * (10 if what == "ten systems" else 1)
        ours, *others = times[: len(ways)]
        times = times[len(ways) :]
        print(f"  {what} a call: cograph {ours / iterations:6.3f} us an iteration; jax.scipy.sparse.linalg.cg " +
              ", ".join(f"{way} {t / iterations:6.2f} ({t / ours:.1f} times)" for way, t in zip(list(ways)[1:], others)), flush=True)


if __name__ == "__main__":
    print(jax.devices()[0], "JAX", jax.__version__)
    measure("Poisson 512^2", poisson(512))
    for path in sys.argv[1:]:
        measure(path.rsplit("/", 1)[-1], scipy.sparse.csr_matrix(scipy.io.mmread(path)))
