// SPDX-License-Identifier: Apache-2.0
// reason: cannot_be_left_out
// expect: cannot_be_left_out<counted_loop>
// expect: disable_kernels_only_as_those_in_a_body
#include "names.hpp"

#include <cograph.cuh>

void run(float* on_device) {
    auto exec = instantiate(repeat(3, fill(out(x), 1)), x(on_device, 8));
    // [wrong]
    exec.disable(at<0>);  // here
    // [/wrong]
}
