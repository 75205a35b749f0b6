// SPDX-License-Identifier: Apache-2.0
// reason: unbound_variable
// row: `unbound_variable` (instantiate of a loop that the host drives)
// expect: unbound_variable<y>
#include "names.hpp"

#include <cograph/host_driven.cuh>

void run(float* on_device) {
    auto exec = instantiate(repeat(3, host_driven(copy(in(x), out(y)))), x(on_device, 8));  // here
}
