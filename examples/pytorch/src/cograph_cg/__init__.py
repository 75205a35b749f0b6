# SPDX-License-Identifier: Apache-2.0
"""Conjugate gradients on sparse tensors, as one CUDA graph of cograph."""
import torch

from . import _C  # noqa: F401  registers torch.ops.cograph_cg.solve

__all__ = ["solve"]


@torch.library.register_fake("cograph_cg::solve")
def _(crow_indices, col_indices, values, b, tolerance, max_iterations):
    torch._check(b.dim() == 1)
    return torch.empty_like(b), b.new_empty((1,), dtype=torch.int32)


def _setup_context(ctx, inputs, output):
    crow_indices, col_indices, values, _, ctx.tolerance, ctx.max_iterations = inputs
    ctx.save_for_backward(crow_indices, col_indices, values, output[0])
    ctx.mark_non_differentiable(output[1])


def _backward(ctx, grad_x, _):
    """A is symmetric: b's gradient solves A y = grad_x, and that of A's element (i, j) is -y[i] x[j]."""
    crow_indices, col_indices, values, x = ctx.saved_tensors
    y, _ = torch.ops.cograph_cg.solve(crow_indices, col_indices, values, grad_x.contiguous(), ctx.tolerance, ctx.max_iterations)
    grad_values = None
    if ctx.needs_input_grad[2]:
        counts = crow_indices[1:] - crow_indices[:-1]
        rows = torch.repeat_interleave(counts, output_size=values.shape[0])
        grad_values = -y[rows] * x[col_indices]
    return None, None, grad_values, y if ctx.needs_input_grad[3] else None, None, None


torch.library.register_autograd("cograph_cg::solve", _backward, setup_context=_setup_context)


def solve(A, b, tolerance=1e-8, max_iterations=10_000):
    """Solves A x = b for a symmetric positive definite sparse CSR tensor A.

    Stops when |b - A x| <= tolerance |b|, or after max_iterations. Stops without a solution, after fewer iterations, when A turns out not to be
    positive definite: the residual is then large. x is NaN if b has a NaN or the square of |b| overflows. Gives x, and the number of iterations
    as an int32 tensor of one element on the device of b: nothing waits for the device. Differentiable in b and in the values of A. Raises TypeError,
    ValueError or RuntimeError.
    """
    if A.layout != torch.sparse_csr:
        raise TypeError(f"cograph_cg: A must be a sparse CSR tensor, not {A.layout}: call A.to_sparse_csr()")
    if A.dim() != 2 or A.shape[0] != A.shape[1]:
        raise ValueError(f"cograph_cg: A must be square, not {tuple(A.shape)}")
    return torch.ops.cograph_cg.solve(A.crow_indices(), A.col_indices(), A.values(), b, tolerance, max_iterations)
