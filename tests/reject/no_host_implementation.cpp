// SPDX-License-Identifier: Apache-2.0
// reason: no_host_implementation
// expect: no_host_implementation<kernel_function<saxpy>>
// expect: write_kernel_of_function_and_host_function
#include "names.hpp"

void run() {
    // [wrong]
    simulate(kernel<saxpy>(over(x))(n, tol, x, y), x(memory), y(more_memory), n(16), tol(1.0f));  // here
    // [/wrong]
}
