// SPDX-License-Identifier: Apache-2.0
// reason: several
// expect: several<unbound_variable<x>, unknown_variable<tol>>
// expect: look_up_each_of_them
#include "names.hpp"

void run() {
    // [wrong]
    simulate(copy(in(x), out(y)), y(memory), tol(1.0f));  // here
    // [/wrong]
}
