// SPDX-License-Identifier: Apache-2.0
// reason: bound_memory_is_const
// expect: bound_memory_is_const<y>
// expect: bind_memory_that_may_be_written
#include "names.hpp"

void run() {
    // [wrong]
    simulate(copy(in(x), out(y)), x(memory), y(constants));  // here
    // [/wrong]
}
