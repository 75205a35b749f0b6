// SPDX-License-Identifier: Apache-2.0
// reason: argument_may_stay_unwritten
// expect: argument_may_stay_unwritten<x>
// expect: mark_it_inout_since_a_path_does_not_write_it
#include <cograph/callable.cuh>

using namespace cograph;
inline constexpr struct x : buffer<x, float> {} x;
inline constexpr struct s : scalar<s, float> {} s;

void run(float* memory, float* number) {
    // [wrong]
    make_callable(when(s > 0, fill(out(x), 7)), arguments(in(s), out(x)), {}, x(memory, 8), s(number));  // here
    // [/wrong]
}
