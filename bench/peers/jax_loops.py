#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""JAX: lax.while_loop in command buffers, XLA's name for CUDA graphs with conditional nodes."""
import os

os.environ["XLA_FLAGS"] = (os.environ.get("XLA_FLAGS", "") +
                           " --xla_gpu_enable_command_buffer=+WHILE,+CONDITIONAL --xla_gpu_graph_min_graph_size=1")
os.environ.setdefault("XLA_PYTHON_CLIENT_PREALLOCATE", "false")

import common

PEER = "JAX"
jax, jnp = common.load(PEER, "jax", "jax.numpy")
if not any(device.platform in ("gpu", "cuda") for device in jax.devices()):
    common.skip(PEER, "no GPU backend")
jax.config.update("jax_enable_x64", True)


def measure(what, function, arguments, iterations, check):
    compiled = jax.jit(function)
    result = []

    def run():
        result[:] = [jax.block_until_ready(compiled(*arguments))]

    common.measure(PEER, what, run, iterations, lambda: check(result[0]))


# The limits are arguments, so that XLA cannot know how often a loop runs.
def count(state, limit):
    return jax.lax.while_loop(lambda s: s[0] < limit, lambda s: (s[0] + 1, s[1] + 1), state)


def jacobi(u, limit):
    def sweep(state):
        u, _, k = state
        v = u.at[1:-1, 1:-1].set(0.25 * (u[:-2, 1:-1] + u[2:, 1:-1] + u[1:-1, :-2] + u[1:-1, 2:]))
        return v, jnp.max(jnp.abs(v - u)), k + 1

    return jax.lax.while_loop(lambda s: (s[1] > 0) & (s[2] < limit), sweep, (u, 1.0, 0))


def laplace(p):
    q = jnp.pad(p, 1)
    return 4 * p - q[:-2, 1:-1] - q[2:, 1:-1] - q[1:-1, :-2] - q[1:-1, 2:]


def conjugate_gradient(b, limit):
    def step(state):
        x, r, p, rr, k = state
        Ap = laplace(p)
        alpha = rr / jnp.vdot(p, Ap)
        r = r - alpha * Ap
        next_rr = jnp.vdot(r, r)
        return x + alpha * p, r, r + next_rr / rr * p, next_rr, k + 1

    return jax.lax.while_loop(lambda s: (s[3] > 1e-30) & (s[4] < limit), step, (jnp.zeros_like(b), b, b, jnp.vdot(b, b), 0))


for n in (1, 132 * 256):
    start = (jnp.zeros((), jnp.int32), jnp.zeros(n, jnp.int32))
    limit = jnp.int32(common.ITERATIONS)
    measure(f"one node, {n} elements", count, (start, limit), common.ITERATIONS, lambda s: int(s[1][-1]) == common.ITERATIONS)
for n, iterations in ((256, 2000), (1024, 500), (16384, 20)):
    hot = jnp.zeros((n, n)).at[0].set(1.0)
    measure(f"Jacobi {n}^2 doubles", jacobi, (hot, iterations), iterations, lambda s, k=iterations: int(s[2]) == k)
for n, iterations in ((512, 500), (2048, 100), (8192, 20)):
    measure(f"CG Poisson {n}^2, 5-point stencil", conjugate_gradient, (jnp.ones((n, n)), iterations), iterations,
            lambda s, k=iterations: int(s[4]) == k)
