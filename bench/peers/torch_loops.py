#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""PyTorch: a captured graph is replayed, and the host reads whether to go on."""
import common

PEER = "PyTorch"
(torch,) = common.load(PEER, "torch")
if not torch.cuda.is_available():
    common.skip(PEER, "no GPU")


def capture(body):
    side = torch.cuda.Stream()
    side.wait_stream(torch.cuda.current_stream())
    with torch.cuda.stream(side):
        body()
    torch.cuda.current_stream().wait_stream(side)
    graph = torch.cuda.CUDAGraph()
    with torch.cuda.graph(graph):
        body()
    return graph


def measure(what, body, reset, go_on, iterations, passes):
    """`body` works on tensors that exist already; `go_on` is the one that it leaves its decision in."""
    graph = capture(body)

    def run():
        reset()
        torch.cuda.synchronize()
        while True:
            graph.replay()
            if not go_on.item():
                return

    common.measure(PEER, what + ", replay + .item()", run, iterations, lambda: int(passes) == iterations, 3)


def count(n, limit):
    passes = torch.zeros(n, dtype=torch.int32, device="cuda")
    go_on = torch.ones((), dtype=torch.bool, device="cuda")

    def body():
        passes.add_(1)
        torch.lt(passes[-1], limit, out=go_on)

    measure(f"one node, {n} elements", body, passes.zero_, go_on, limit, passes[-1])


def jacobi(n, limit):
    hot = torch.zeros(n, n, dtype=torch.float64, device="cuda")
    hot[0] = 1
    u, v = hot.clone(), hot.clone()
    passes = torch.zeros((), dtype=torch.int32, device="cuda")
    go_on = torch.ones((), dtype=torch.bool, device="cuda")

    def body():
        v[1:-1, 1:-1] = 0.25 * (u[:-2, 1:-1] + u[2:, 1:-1] + u[1:-1, :-2] + u[1:-1, 2:])
        change = (v - u).abs().max()
        u.copy_(v)
        passes.add_(1)
        torch.logical_and(change > 0, passes < limit, out=go_on)

    def reset():
        u.copy_(hot)
        v.copy_(hot)
        passes.zero_()

    measure(f"Jacobi {n}^2 doubles", body, reset, go_on, limit, passes)


count(1, common.ITERATIONS)
count(132 * 256, common.ITERATIONS)
jacobi(256, 500)
jacobi(1024, 500)
