// SPDX-License-Identifier: Apache-2.0
// reason: cuda_is_missing
// expect: cuda_is_missing<for_instantiate>
// expect: include_cograph_cuh_and_compile_with_nvcc_or_simulate
#include "names.hpp"

void run() {
    // [wrong]
    auto exec = instantiate(copy(in(x), out(y)), x(memory), y(more_memory));  // here
    // [/wrong]
}
