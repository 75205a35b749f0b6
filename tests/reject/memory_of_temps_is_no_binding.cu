// SPDX-License-Identifier: Apache-2.0
// reason: memory_of_temps_is_no_binding
// errors: 2
// expect: memory_of_temps_is_no_binding
// expect: write_use_of_it_right_after_the_expression_of_instantiate_or_in_the_options_of_a_callable
#include <cograph.cuh>

using namespace cograph;
inline constexpr struct x : buffer<x, float> {} x;

void make(pool& p, float* xs) {
    constexpr auto e = fill(out(x), 1);
    // [wrong]
    instantiate(e, x(xs, 4), use(p));  // here
    instantiate(e, p, x(xs, 4));       // here
    // [/wrong]
}
