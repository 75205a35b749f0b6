// SPDX-License-Identifier: Apache-2.0
// reason: has_no_time_of_its_own
// expect: has_no_time_of_its_own<counted_loop>
// expect: ask_for_the_nodes_in_its_body
#include "names.hpp"

#include <cograph/profile.cuh>

void run(cudaStream_t stream, float* on_device) {
    const auto times = profile(stream, repeat(3, fill(out(x), 1)), x(on_device, 8));
    // [wrong]
    const auto time = times.of(at<0>);  // here
    // [/wrong]
}
