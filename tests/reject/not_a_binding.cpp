// SPDX-License-Identifier: Apache-2.0
// reason: not_a_binding
// expect: not_a_binding<float*>
// expect: call_a_variable_with_its_memory_or_value
#include "names.hpp"

void run() {
    // [wrong]
    simulate(copy(in(x), out(y)), x(memory), more_memory);  // here
    // [/wrong]
}
