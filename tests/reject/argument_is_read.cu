// SPDX-License-Identifier: Apache-2.0
// reason: argument_is_read
// expect: argument_is_read<x>
// expect: mark_it_inout_since_a_path_reads_it_first
#include <cograph/callable.cuh>

using namespace cograph;
inline constexpr struct x : buffer<x, float> {} x;
inline constexpr struct s : scalar<s, float> {} s;

void run(float* memory) {
    // [wrong]
    make_callable(seq(reduce(out(s), in(x)), fill(out(x), s)), arguments(out(x)), {}, x(memory, 8));  // here
    // [/wrong]
}
