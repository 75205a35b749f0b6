# SPDX-License-Identifier: Apache-2.0
"""Conjugate gradients on sparse arrays of JAX, as one CUDA graph of cograph."""
import ctypes
from pathlib import Path

import jax
import jax.numpy as jnp
import numpy as np

__all__ = ["solve"]

_library = ctypes.cdll.LoadLibrary(str(next(Path(__file__).resolve().parent.glob("_handler*.so"))))
for _name in ("cograph_cg", "cograph_cg_large"):
    jax.ffi.register_ffi_target(_name, jax.ffi.pycapsule(_library.cograph_cg_cpu), platform="cpu")
    if hasattr(_library, f"{_name}_cuda"):
        jax.ffi.register_ffi_target(_name, jax.ffi.pycapsule(getattr(_library, f"{_name}_cuda")), platform="CUDA")


def solve(data, indices, indptr, b, tolerance=1e-8, max_iterations=10_000):
    """Solves A x = b for a symmetric positive definite A in compressed rows, as data, indices and indptr (those of BCSR and SciPy).

    Stops when |b - A x| <= tolerance |b|, or after max_iterations. Stops without a solution, after fewer iterations, when A turns out not to be
    positive definite: the residual is then large. x is NaN if b has a NaN or the square of |b| overflows. Gives x and the number of iterations,
    an int32. Works under jit, in lax loops, and under vmap, one system after the other. Raises ValueError when arrays do not fit.
    """
    data, indices, indptr, b = map(jnp.asarray, (data, indices, indptr, b))
    if b.dtype not in (jnp.float32, jnp.float64) or data.dtype != b.dtype:
        raise ValueError(f"cograph_cg: data and b must both be float32 or float64, not {data.dtype} and {b.dtype}")
    if indices.dtype not in (jnp.int32, jnp.int64) or indptr.dtype != indices.dtype:
        raise ValueError(f"cograph_cg: indices and indptr must both be int32 or int64, not {indices.dtype} and {indptr.dtype}")
    if b.ndim != 1 or indptr.shape != (b.shape[0] + 1,) or indices.shape != data.shape or data.ndim != 1:
        raise ValueError(f"cograph_cg: shapes do not fit: data {data.shape}, indices {indices.shape}, indptr {indptr.shape}, b {b.shape}")
    if not 0 < tolerance < 1 or max_iterations < 1:
        raise ValueError("cograph_cg: tolerance must lie between 0 and 1, max_iterations must be positive")
    n = b.shape[0]
    shape = jax.ShapeDtypeStruct
    # The last result is memory for the solver, which XLA so owns.
    # At most 32768 equations take the first 18 elements of each row, its extent, and nine vectors of doubles; more take seven vectors.
    of_equation = 18 * 16 + 2 * indices.dtype.itemsize + 9 * 8 if n <= 2**15 else 7 * b.dtype.itemsize
    workspace = shape((n * of_equation,), jnp.uint8)
    name = "cograph_cg" if n <= 2**22 else "cograph_cg_large"
    call = jax.ffi.ffi_call(name, (shape((n,), b.dtype), shape((1,), jnp.int32), workspace), vmap_method="sequential")
    x, iterations, _ = call(indptr, indices, data, b, tolerance=np.float64(tolerance), max_iterations=np.int32(max_iterations))
    return x, iterations[0]
