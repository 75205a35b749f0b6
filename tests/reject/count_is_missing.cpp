// SPDX-License-Identifier: Apache-2.0
// reason: count_is_missing
// expect: count_is_missing<x, float*>
// expect: bind_a_pointer_and_a_count_or_a_span
#include "names.hpp"

void run() {
    // [wrong]
    const auto binding = x(&memory[0]);  // here
    // [/wrong]
}
