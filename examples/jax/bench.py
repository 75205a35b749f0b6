# SPDX-License-Identifier: Apache-2.0
"""Measures the solver against jax.scipy.sparse.linalg.cg on a GPU, on systems of a 512 by 512 grid and of Matrix Market files.

Each runs twice, in processes of their own: with XLA's defaults, and with loops in command buffers. JAX's solver has the same preconditioner
and does as many iterations, with the matrix in each form that JAX has for it.

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


def microseconds(run, times=7):
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
    ours = jax.jit(lambda b: cograph_cg_jax.solve(data, indices, indptr, b, 1e-8)[0])
    matrix = sparse.BCSR((data, indices, indptr), shape=A.shape)

    def theirs(times_A):
        solver = jax.jit(lambda b: jax.scipy.sparse.linalg.cg(times_A, b, tol=0.0, atol=0.0, maxiter=count, M=lambda v: inverse * v)[0])
        assert np.linalg.norm(right - A @ np.asarray(solver(b))) < 1e-6 * np.linalg.norm(right)
        return solver

    # cuSPARSE (jax_bcoo_cusparse_lowering) takes longer than both.
    ways = {"BCSR": theirs(lambda v: matrix @ v),
            "segment_sum": theirs(lambda v: jax.ops.segment_sum(data * v[indices], rows, num_segments=A.shape[0], indices_are_sorted=True))}
    once = jax.jit(lambda b: cograph_cg_jax.solve(data, indices, indptr, b, 1e-8, max_iterations=1)[0])
    here, call, *there = microseconds([lambda: ours(b), lambda: once(b), *(lambda solver=solver: solver(b) for solver in ways.values())])
    print(f"{name:14} {count:5} iterations, {os.environ['WAY']:15}: cograph {here / count:6.2f} us an iteration (a call of one iteration {call:.0f} us); "
          "jax.scipy.sparse.linalg.cg " + ", ".join(f"{way} {t / count:6.2f} ({t / here:.1f} times)" for way, t in zip(ways, there)), flush=True)


if __name__ == "__main__":
    print(jax.devices()[0], "JAX", jax.__version__)
    measure("Poisson 512^2", poisson(512))
    for path in sys.argv[1:]:
        measure(path.rsplit("/", 1)[-1], scipy.sparse.csr_matrix(scipy.io.mmread(path)))
