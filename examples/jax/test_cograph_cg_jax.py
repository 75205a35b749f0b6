# SPDX-License-Identifier: Apache-2.0
import os
import subprocess
import sys
from pathlib import Path

import jax

jax.config.update("jax_enable_x64", True)

import jax.numpy as jnp
import numpy as np
import pytest

import cograph_cg_jax


def has_gpu():
    try:
        return len(jax.devices("gpu")) > 0
    except RuntimeError:
        return False


needs_gpu = pytest.mark.skipif(not has_gpu(), reason="no GPU: only the CPU is tested")


def poisson(m, dtype=np.float64, index=np.int32):
    """The five-point Laplacian of an m by m grid, in compressed rows."""
    data, indices, indptr = [], [], [0]
    for row in range(m):
        for column in range(m):
            for r, c, value in [(row - 1, column, -1), (row, column - 1, -1), (row, column, 4), (row, column + 1, -1), (row + 1, column, -1)]:
                if 0 <= r < m and 0 <= c < m:
                    data.append(value)
                    indices.append(r * m + c)
            indptr.append(len(data))
    return jnp.array(data, dtype), jnp.array(indices, index), jnp.array(indptr, index)


def times(A, x):
    data, indices, indptr = map(np.asarray, A)
    return np.array([data[b:e] @ np.asarray(x)[indices[b:e]] for b, e in zip(indptr[:-1], indptr[1:])])


@pytest.mark.parametrize("dtype", [np.float32, np.float64])
@pytest.mark.parametrize("index", [np.int32, np.int64])
@pytest.mark.parametrize("m", [20, 90, 182])  # in a cluster, on the whole GPU, and by the solver for many
def test_solves(dtype, index, m):
    A = poisson(m, dtype, index)
    expected = np.linspace(-1, 2, m * m).astype(dtype)
    tolerance = 1e-10 if dtype == np.float64 else 1e-5
    x, iterations = cograph_cg_jax.solve(*A, times(A, expected), tolerance)
    assert 1 < int(iterations) < 10 * m
    assert np.abs(np.asarray(x) - expected).max() < 1e3 * tolerance


@pytest.mark.parametrize("n", [40, 300, 3000])
def test_rows_of_all_lengths(n):
    """Rows of 1, of about a seventh of n and of n - 10 elements."""
    i = np.arange(n)
    linked = (i[:, None] * i % 7 == 0) & (i[:, None] >= 10) & (i >= 10)
    np.fill_diagonal(linked, True)
    rows, columns = np.nonzero(linked)
    counts = linked.sum(1)
    values = np.where(rows == columns, np.repeat(counts, counts).astype(float), -1.0)
    A = jnp.array(values), jnp.array(columns, np.int32), jnp.array(np.concatenate([[0], np.cumsum(counts)]), np.int32)
    expected = np.linspace(-1, 2, n)
    x, iterations = cograph_cg_jax.solve(*A, times(A, expected), 1e-13)
    assert 1 < int(iterations) < 200
    np.testing.assert_allclose(x, expected, rtol=1e-8, atol=1e-9)


def rod(n, dtype):
    """The second difference over n points."""
    data = np.array([2.0, -1.0, *[-1.0, 2.0, -1.0] * (n - 2), -1.0, 2.0])
    indices = np.concatenate([[0, 1], (np.arange(1, n - 1)[:, None] + [-1, 0, 1]).ravel(), [n - 2, n - 1]])
    indptr = np.concatenate([[0], 3 * np.arange(1, n) - 1, [3 * n - 2]])
    return jnp.array(data, dtype), jnp.array(indices, np.int32), jnp.array(indptr, np.int32)


def test_digits_of_floats():
    """A condition of 400 000, at which sums that are predicted in float take twice the iterations."""
    A = rod(1000, np.float32)
    x, iterations = cograph_cg_jax.solve(*A, jnp.ones(1000, np.float32).at[1:-1].set(0), 1e-6)
    assert int(iterations) <= 510
    np.testing.assert_allclose(x, 1, atol=1e-6)


def test_nothing_to_do():
    x, iterations = cograph_cg_jax.solve(*poisson(4), jnp.zeros(16))
    assert int(iterations) == 0 and not np.asarray(x).any()


@pytest.mark.parametrize("n", [4, 33000])
def test_no_solution_is_sought_in_vain(n):
    """One step, and no more, if A is not positive definite, something is no number or b'b overflows."""
    def diagonal(value):
        return jnp.full(n, value), jnp.arange(n, dtype=np.int32), jnp.arange(n + 1, dtype=np.int32)

    data, indices, indptr = diagonal(1.0)
    exchange = data, indices.at[:2].set(np.array([1, 0], np.int32)), indptr  # p'Ap is negative in the first step, and positive in the next one
    for A, b in [(diagonal(-1.0), jnp.ones(n)), (exchange, jnp.zeros(n).at[:2].set([1, -2]))]:
        x, iterations = cograph_cg_jax.solve(*A, b)
        assert int(iterations) == 1 and not np.isnan(x).any()
    for A, b in [(diagonal(np.nan), jnp.ones(n)), (diagonal(1.0), jnp.ones(n).at[2].set(np.nan)), (diagonal(2.0), jnp.full(n, 1e200))]:
        x, iterations = cograph_cg_jax.solve(*A, b)
        assert int(iterations) == 1 and np.isnan(x).any()


def test_jit_and_limit():
    A = poisson(12)
    program = jax.jit(lambda b: cograph_cg_jax.solve(*A, 2 * b, 1e-12)[0] + 1)
    for scale in [1.0, 3.0, 5.0]:  # buffers move
        b = jnp.full(144, scale)
        np.testing.assert_allclose(times(A, program(b) - 1), 2 * np.asarray(b), rtol=1e-9)
    assert int(cograph_cg_jax.solve(*A, jnp.ones(144), 1e-12, max_iterations=7)[1]) == 7


def test_vmap():
    A = poisson(10)
    b = jnp.arange(1.0, 301.0).reshape(3, 100)
    x, iterations = jax.vmap(lambda right: cograph_cg_jax.solve(*A, right, 1e-12))(b)
    assert iterations.shape == (3,)
    for k in range(3):
        np.testing.assert_allclose(times(A, x[k]), b[k], rtol=1e-8)


@pytest.mark.parametrize("m", [10, 50])  # in a block, and on the whole GPU
def test_fori_loop(m):
    """Implicit Euler for the heat equation: each step solves a system."""
    data, indices, indptr = poisson(m)
    data = 0.1 * data + jnp.where(indices == jnp.repeat(jnp.arange(m * m), jnp.diff(indptr), total_repeat_length=data.shape[0]), 1.0, 0.0)
    A = (data, indices, indptr)
    step = lambda _, u: cograph_cg_jax.solve(*A, u, 1e-13)[0]
    u = jax.jit(lambda u: jax.lax.fori_loop(0, 5, step, u))(jnp.ones(m * m))
    for _ in range(5):
        u = times(A, u)
    np.testing.assert_allclose(u, 1, rtol=1e-9)


def test_shapes_change():
    for m in [3, 20, 4, 20]:
        A = poisson(m)
        x, _ = cograph_cg_jax.solve(*A, jnp.ones(m * m), 1e-12)
        np.testing.assert_allclose(times(A, x), 1, rtol=1e-9)


def test_refusals():
    data, indices, indptr = poisson(4)
    with pytest.raises(ValueError, match="float32 or float64"):
        cograph_cg_jax.solve(data, indices, indptr, jnp.ones(16, jnp.float32))
    with pytest.raises(ValueError, match="int32 or int64"):
        cograph_cg_jax.solve(data, indices.astype(jnp.int64), indptr, jnp.ones(16))
    with pytest.raises(ValueError, match="do not fit"):
        cograph_cg_jax.solve(data, indices, indptr, jnp.ones(15))
    with pytest.raises(ValueError, match="tolerance"):
        cograph_cg_jax.solve(data, indices, indptr, jnp.ones(16), 0.0)


@needs_gpu
def test_on_the_gpu():
    A = poisson(20)
    x, _ = cograph_cg_jax.solve(*A, jnp.ones(400), 1e-12)
    assert list(x.devices())[0].platform == "gpu"


@needs_gpu
def test_more_equations_than_in_one_kernel():
    n = 2**22 + 1
    diagonal = jnp.linspace(1.0, 2.0, n)
    x, iterations = jax.jit(lambda b: cograph_cg_jax.solve(diagonal, jnp.arange(n, dtype=jnp.int32), jnp.arange(n + 1, dtype=jnp.int32), b))(jnp.ones(n))
    assert int(iterations) == 1
    np.testing.assert_allclose(x, 1 / np.asarray(diagonal), rtol=1e-12)


IN_COMMAND_BUFFERS = """
from test_cograph_cg_jax import *

A = poisson(12)
program = jax.jit(lambda b: cograph_cg_jax.solve(*A, 2 * b, 1e-12)[0] + 1)
kept = []
for scale in [1.0, 3.0, 5.0, 7.0, 9.0]:
    kept.append(program(jnp.full(144, scale)))  # so results have memory of their own
    np.testing.assert_allclose(times(A, kept[-1] - 1), 2 * scale, rtol=1e-9)
for m in [10, 50]:
    test_fori_loop(m)
assert cograph_cg_jax._library.cograph_cg_captured_calls() > 0
"""


@needs_gpu
def test_command_buffers():
    """Small programs become command buffers, too, if XLA is asked, before it starts."""
    flags = os.environ.get("XLA_FLAGS", "") + " --xla_gpu_enable_command_buffer=+CUSTOM_CALL --xla_gpu_graph_min_graph_size=1"
    here = str(Path(__file__).resolve().parent)
    places = os.pathsep.join([here, *filter(None, [os.environ.get("PYTHONPATH")])])
    environment = {**os.environ, "XLA_FLAGS": flags, "PYTHONPATH": places, "XLA_PYTHON_CLIENT_PREALLOCATE": "false"}
    subprocess.run([sys.executable, "-c", IN_COMMAND_BUFFERS], env=environment, check=True, timeout=200)
