// SPDX-License-Identifier: Apache-2.0
// reason: not_bound_like_this
// expect: not_bound_like_this<x, int, float*>
// expect: bind_a_span_or_a_pointer_and_a_count
#include "names.hpp"

void run() {
    // [wrong]
    const auto binding = x(16, &memory[0]);  // here
    // [/wrong]
}
