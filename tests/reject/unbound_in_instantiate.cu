// SPDX-License-Identifier: Apache-2.0
// reason: unbound_variable
// row: `unbound_variable` (instantiate, run_on, and what is done with the result)
// expect: unbound_variable<y>
// errors: 2
#include "names.hpp"

#include <cograph.cuh>

void run(cudaStream_t stream, float* on_device) {
    auto exec = instantiate(copy(in(x), out(y)), x(on_device, 8));  // here
    exec.launch(stream);
    float result = exec.fetch(s);
    run_on(stream, copy(in(x), out(y)), x(on_device, 8));
}
