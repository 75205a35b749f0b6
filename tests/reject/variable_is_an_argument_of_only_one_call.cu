// SPDX-License-Identifier: Apache-2.0
// reason: variable_is_an_argument_of_only_one_call
// expect: variable_is_an_argument_of_only_one_call<x, n, y>
// expect: name_it_among_the_arguments_of_both_or_bind_it_by_saved
#include <cograph/callable.cuh>

using namespace cograph;
inline constexpr struct x : buffer<x, float> {} x;
inline constexpr struct y : buffer<y, float> {} y;
inline constexpr struct h : buffer<h, float> {} h;
inline constexpr struct n : value<n, float> {} n;
struct add {
    COGRAPH_HD void operator()(index_t, float from, float& to, float more) const { to += from * more; }
};
constexpr auto there = for_each(over(h), add{})(in(x[each]), inout(h[each]), n);
constexpr auto back = seq(for_each(over(y), add{})(in(h[each]), inout(y[each]), n), for_each(over(y), add{})(in(x[each]), inout(y[each]), n));
constexpr auto again = seq(there, for_each(over(h), add{})(in(y[each]), inout(h[each]), n));

void run(float* memory, float* more) {
    // [wrong]
    make_callable_pair(again, arguments(in(x), in(n)), back, arguments(inout(y)), {}, x(memory, 8), y(more, 8), saved(h, 8), n(1.0f));  // here
    // [/wrong]
}
