// SPDX-License-Identifier: Apache-2.0
// reason: variable_is_an_argument_twice
// expect: variable_is_an_argument_twice<x>
// expect: name_it_once_inout_if_it_is_both
#include <cograph/callable.cuh>

using namespace cograph;
inline constexpr struct x : buffer<x, float> {} x;
inline constexpr struct y : buffer<y, float> {} y;

void run(float* memory, float* more_memory) {
    // [wrong]
    make_callable(copy(in(x), out(y)), arguments(in(x), in(x), out(y)), {}, x(memory, 8), y(more_memory, 8));  // here
    // [/wrong]
}
