// SPDX-License-Identifier: Apache-2.0
// reason: has_no_static_memory
// expect: has_no_static_memory<y>
// expect: name_a_buffer_or_a_scalar_among_the_arguments
#include <cograph/callable.cuh>

using namespace cograph;
inline constexpr struct x : buffer<x, float> {} x;
inline constexpr struct y : buffer<y, float> {} y;

void run(float* memory, float* more) {
    // [wrong]
    auto call = make_callable(copy(in(x), out(y)), arguments(in(x)), {}, x(memory, 8), y(more, 8));
    const auto wrong = call.static_buffer(y);  // here
    // [/wrong]
}
