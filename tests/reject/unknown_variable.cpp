// SPDX-License-Identifier: Apache-2.0
// reason: unknown_variable
// expect: unknown_variable<tol>
// expect: remove_its_binding_or_use_it_in_the_expression
#include "names.hpp"

void run() {
    // [wrong]
    simulate(copy(in(x), out(y)), x(memory), y(more_memory), tol(1.0f));  // here
    // [/wrong]
}
