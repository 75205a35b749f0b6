// SPDX-License-Identifier: Apache-2.0
// reason: container_owns_memory
// expect: container_owns_memory<x, std::vector<float
// expect: pass_a_span_of_it
#include "names.hpp"

void run() {
    // [wrong]
    const auto binding = x(owner);  // here
    // [/wrong]
}
