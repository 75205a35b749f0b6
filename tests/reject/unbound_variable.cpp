// SPDX-License-Identifier: Apache-2.0
// reason: unbound_variable
// expect: unbound_variable<y>
// expect: add_its_binding_to_the_call
#include "names.hpp"

void run() {
    // [wrong]
    simulate(copy(in(x), out(y)), x(memory));  // here
    // [/wrong]
}
