// SPDX-License-Identifier: Apache-2.0
// reason: unbound_variable
// row: a side of a box that is not bound
// expect: unbound_variable<n>
// expect: add_its_binding_to_the_call
#include "names.hpp"

void run() {
    simulate(for_each(over(extent(x), n), flux{})(in(x[near<1, 1>]), out(y[each])), x(memory), y(more_memory));  // here
}
