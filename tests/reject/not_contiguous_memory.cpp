// SPDX-License-Identifier: Apache-2.0
// reason: not_contiguous_memory
// expect: not_contiguous_memory<x, int>
// expect: bind_a_span_or_a_pointer_and_a_count
#include "names.hpp"

void run() {
    // [wrong]
    const auto binding = x(3);  // here
    // [/wrong]
}
