// SPDX-License-Identifier: Apache-2.0
// reason: argument_is_written
// expect: argument_is_written<x>
// expect: mark_it_inout
#include <cograph/callable.cuh>

using namespace cograph;
inline constexpr struct x : buffer<x, float> {} x;

void run(float* memory) {
    // [wrong]
    make_callable(fill(out(x), 1), arguments(in(x)), {}, x(memory, 8));  // here
    // [/wrong]
}
