// SPDX-License-Identifier: Apache-2.0
// reason: variable_bound_twice
// expect: variable_bound_twice<x>
// expect: keep_one_of_its_bindings
#include "names.hpp"

void run() {
    // [wrong]
    simulate(copy(in(x), out(y)), x(memory), y(more_memory), x(memory));  // here
    // [/wrong]
}
