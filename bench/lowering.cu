// SPDX-License-Identifier: Apache-2.0
// What loops and branches of library nodes cost: lowered, as graphs node by node, and by hand with
// conditional nodes.
// bench_lowering [a Matrix Market file]
#include "lowering.cuh"

#include "cg_one_pass.cuh"
#include "jacobi_strips.cuh"
#include "opaque_loops.cuh"
#include "tiny_loops.cuh"

#include <cublas_v2.h>
#include <cusparse.h>

int main(int argc, char** argv) {
    const bench::gpu g;
    lowering::title();
    tiny::measure(g);
    opaque_loops::measure(g);
    jacobi::measure(g);
    solver::measure(g, argc > 1 ? argv[1] : "1138_bus.mtx");
}
