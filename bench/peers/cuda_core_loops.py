#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""cuda.core: a WHILE made with its graph builder; the names are those of its versions 0 and 1."""
import ctypes

import common

PEER = "cuda.core"
(numpy,) = common.load(PEER, "numpy")
try:
    import cuda.core as core

    core.Device, core.Program, core.launch
except Exception:
    (core,) = common.load(PEER, "cuda.core.experimental")

CODE = r"""
extern "C" __device__ __cudart_builtin__ void CUDARTAPI cudaGraphSetConditional(cudaGraphConditionalHandle handle, unsigned int value);
extern "C" __global__ void reset(int* p) { *p = 0; }
extern "C" __global__ void count(int* p) { *p += 1; }
extern "C" __global__ void test(cudaGraphConditionalHandle h, const int* p, int n) { cudaGraphSetConditional(h, *p < n); }
extern "C" __global__ void count_and_test(cudaGraphConditionalHandle h, int* p, int n) {
    int v = *p + 1;
    *p = v;
    cudaGraphSetConditional(h, v < n);
}
extern "C" __global__ void store(const int* p, int* out) { *out = *p; }
"""


def kernels(device):
    arch = "sm_" + "".join(str(digit) for digit in device.compute_capability)
    module = core.Program(CODE, code_type="c++", options=core.ProgramOptions(std="c++17", arch=arch)).compile("cubin")
    return {name: module.get_kernel(name) for name in ("reset", "count", "test", "count_and_test", "store")}


def build(device, kernel, passes, seen, fused):
    one = core.LaunchConfig(grid=1, block=1)
    builder = device.create_graph_builder().begin_building()
    core.launch(builder, one, kernel["reset"], passes)
    make_condition = getattr(builder, "create_condition", None) or builder.create_conditional_handle
    condition = make_condition(default_value=1)
    body = builder.while_loop(condition)
    body = body.begin_building() or body

    def launch_with_condition(what):
        limit = numpy.int32(common.ITERATIONS)
        try:
            core.launch(body, one, what, condition, passes, limit)
        except TypeError:
            core.launch(body, one, what, condition.handle, passes, limit)

    if fused:
        launch_with_condition(kernel["count_and_test"])
    else:
        core.launch(body, one, kernel["count"], passes)
        launch_with_condition(kernel["test"])
    body.end_building()
    core.launch(builder, one, kernel["store"], passes, seen)
    return builder.end_building().complete()


def main():
    try:
        device = core.Device()
        device.set_current()
        stream = device.create_stream()
        memory = device.allocate(64, stream=stream)
        pinned = core.LegacyPinnedMemoryResource().allocate(64)
        stream.sync()
        kernel = kernels(device)
        graphs = [build(device, kernel, int(memory.handle), int(pinned.handle), fused) for fused in (False, True)]
    except Exception as problem:
        common.skip(PEER, f"{type(problem).__name__}: {problem}")

    for graph, what in zip(graphs, ("one kernel + predicate kernel", "one kernel that tests")):
        def run():
            graph.launch(stream)
            stream.sync()

        seen = lambda: ctypes.c_int32.from_address(int(pinned.handle)).value
        common.measure(PEER, what, run, common.ITERATIONS, lambda: seen() == common.ITERATIONS)


main()
