// SPDX-License-Identifier: Apache-2.0
// reason: argument_of_a_call_is_rebound
// expect: argument_of_a_call_is_rebound<x>
// expect: give_it_to_the_call
#include <cograph/callable.cuh>

using namespace cograph;
inline constexpr struct x : buffer<x, float> {} x;
inline constexpr struct y : buffer<y, float> {} y;

void run(float* memory, float* more) {
    // [wrong]
    auto call = make_callable(copy(in(x), out(y)), arguments(in(x)), {}, x(memory, 8), y(more, 8));
    call.graph().update(y(more + 8, 8), x(memory, 8));  // here
    // [/wrong]
}
