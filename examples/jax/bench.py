# SPDX-License-Identifier: Apache-2.0
"""Measures the solver against jax.scipy.sparse.linalg.cg on a GPU, on systems of a 512 by 512 grid and of Matrix Market files.

usage: bench.py [FILE.mtx]
"""
import sys
import time

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


def microseconds(run):
    run().block_until_ready()
    samples = []
    for _ in range(5):
        begin = time.perf_counter()
        run().block_until_ready()
        samples.append(1e6 * (time.perf_counter() - begin))
    return sorted(samples)[2]


def measure(name, A):
    A.sort_indices()
    data, indices, indptr = jnp.array(A.data), jnp.array(A.indices, jnp.int32), jnp.array(A.indptr, jnp.int32)
    b = jnp.array(A @ np.ones(A.shape[0]))
    ours = jax.jit(lambda b: cograph_cg_jax.solve(data, indices, indptr, b, 1e-8))
    count = int(ours(b)[1])
    in_jax_matrix = sparse.BCSR((data, indices, indptr), shape=A.shape)
    inverse = jnp.array(1 / A.diagonal())
    # JAX's own does not tell its iterations: it is given as many as ours needs.
    own = jax.jit(lambda b: jax.scipy.sparse.linalg.cg(lambda v: in_jax_matrix @ v, b, tol=0.0, atol=0.0, maxiter=count, M=lambda v: inverse * v)[0])
    here, there = microseconds(lambda: ours(b)[0]) / count, microseconds(lambda: own(b)) / count
    print(f"{name:24} {count:5} iterations: cograph {here:7.2f}, jax.scipy.sparse.linalg.cg {there:7.2f} us an iteration ({there / here:.1f} times)")


if __name__ == "__main__":
    print(jax.devices()[0], "JAX", jax.__version__)
    measure("Poisson 512^2", poisson(512))
    for path in sys.argv[1:]:
        measure(path.rsplit("/", 1)[-1], scipy.sparse.csr_matrix(scipy.io.mmread(path)))
