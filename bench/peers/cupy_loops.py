#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""CuPy has no conditional nodes: the host reads whether to go on, behind a kernel or a captured graph."""
import common

PEER = "CuPy"
(cupy,) = common.load(PEER, "cupy")
try:
    cupy.cuda.runtime.getDeviceCount()
except Exception as problem:
    common.skip(PEER, problem)

CODE = r'extern "C" __global__ void count(int* x, int* go_on, int n) { int v = *x + 1; *x = v; *go_on = v < n; }'
LIMIT = common.ITERATIONS
stream = cupy.cuda.Stream(non_blocking=True)
kernel = cupy.RawKernel(CODE, "count")
with stream:
    passes = cupy.zeros(1, cupy.int32)
    go_on = cupy.ones(1, cupy.int32)


def launch():
    kernel((1,), (1,), (passes, go_on, cupy.int32(LIMIT)))


def measure(what, step):
    def run():
        with stream:
            passes.fill(0)
            while True:
                step()
                if not int(go_on.get(stream=stream)[0]):
                    return

    common.measure(PEER, what, run, LIMIT, lambda: int(passes.get()[0]) == LIMIT, 3)


def captured():
    side = cupy.cuda.Stream(non_blocking=True)
    with side:
        side.begin_capture()
        launch()
        return side.end_capture()


measure("one kernel + flag", launch)
try:
    graph = captured()
except Exception as problem:
    common.skip(PEER, f"graph: {problem}")
measure("graph of one kernel + flag", lambda: graph.launch(stream))
