// SPDX-License-Identifier: Apache-2.0
// reason: only_scalars_are_fetched
// expect: only_scalars_are_fetched<x>
// expect: copy_a_buffer_from_the_memory_it_is_bound_to
#include "names.hpp"

#include <cograph.cuh>

void run(float* on_device) {
    auto exec = instantiate(copy(in(x), out(y)), x(on_device, 8), y(on_device + 8, 8));
    // [wrong]
    const auto all = exec.fetch(x);  // here
    // [/wrong]
}
