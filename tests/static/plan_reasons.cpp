// SPDX-License-Identifier: Apache-2.0
#include "../reject/names.hpp"

#include <cstdio>
#include <fstream>
#include <iostream>

// What is wrong with whole expressions, without failing a build, and the same done right; docs/errors quotes it.
namespace {

using namespace cograph::reason;

[[maybe_unused]] void temp_read_before_written_right() {
    // [temp_read_before_written]
    simulate(seq(fill(out(z), 0), loop_while(i < n, seq(fill(out(z), 1), assign(i, i + 1))), copy(in(z), out(x))), x(memory), n(3),
             i(&count));
    // [/temp_read_before_written]
}
#ifndef __CUDA_ARCH__
static_assert(diagnose<decltype(simulate(seq(loop_while(i < n, seq(fill(out(z), 1), assign(i, i + 1))), copy(in(z), out(x))), x(memory), n(3), i(&count)))> ==
              temp_read_before_written<struct z, core::copy_elements>{});
#endif

[[maybe_unused]] void temp_is_only_partly_written_right() {
    // [temp_is_only_partly_written]
    simulate(seq(for_each(over(row), from_zero{})(out(row[each])), copy(in(row), out(x))), x(memory));
    simulate(seq(fill(out(tile), 0), for_each(over(row), from_zero{})(out(tile[each])), copy(in(tile), out(x))), x(memory));
    // [/temp_is_only_partly_written]
}
#ifndef __CUDA_ARCH__
static_assert(diagnose<decltype(simulate(seq(for_each(over(row), from_zero{})(out(tile[each])), copy(in(tile), out(x))), x(memory)))> ==
              temp_is_only_partly_written<struct tile, core::copy_elements>{});
#endif

[[maybe_unused]] void no_host_implementation_right() {
    // [no_host_implementation]
    simulate(kernel<saxpy, saxpy_on_host>(over(x))(n, tol, x, y), x(memory), y(more_memory), n(16), tol(1.0f));
    // [/no_host_implementation]
}
#ifndef __CUDA_ARCH__
static_assert(diagnose<decltype(simulate(kernel<saxpy>(over(x))(n, tol, x, y), x(memory), y(more_memory), n(16), tol(1.0f)))> ==
              no_host_implementation<kernel_function<saxpy>>{});
#endif

[[maybe_unused]] void not_a_stream_right() {
    // [not_a_stream]
    write_json(std::ofstream("the_graph.json"), copy(in(x), out(y)));
    write_dot(std::cout, copy(in(x), out(y)));
    // [/not_a_stream]
}
static_assert(diagnose<decltype(write_dot("the_graph.dot", copy(in(x), out(y))))> == not_a_stream<char[14]>{});
static_assert(diagnose<decltype(write_json(stdout, copy(in(x), out(y))))> == not_a_stream<std::remove_reference_t<decltype(*stdout)>*>{});
static_assert(diagnose<decltype(write_dot(copy(in(x), out(y)), std::cout))> ==
              arguments_are_not_those_of<core::write_dot_call, expression_of<core::copy_elements>, std::ostream>{});

// [not_a_selector]
static_assert(has_edge(seq(fill(out(x), 1), copy(in(x), out(y))), at<0>, at<1>));
// [/not_a_selector]
static_assert(diagnose<decltype(has_edge(seq(fill(out(x), 1), copy(in(x), out(y))), 0, 1))> ==
              not_a_selector<int>{});

// [selector_matches_nothing]
static_assert(has_edge(seq(fill(out(x), 1), for_each(over(x), twice{})(inout(x[each]))), at<0>, calls<twice>));
// [/selector_matches_nothing]
static_assert(diagnose<decltype(has_edge(seq(fill(out(x), 1), copy(in(x), out(y))), at<0>, calls<twice>))> ==
              selector_matches_nothing<core::calls_t<twice>, among_nodes<2>>{});

// [selector_matches_several]
static_assert(ordered(repeat(3, seq(for_each(over(x), twice{})(inout(x[each])), for_each(over(x), twice{})(inout(x[each])))), at<1>,
                      at<2>));
// [/selector_matches_several]
static_assert(diagnose<decltype(ordered(repeat(3, seq(for_each(over(x), twice{})(inout(x[each])), for_each(over(x), twice{})(inout(x[each])))), at<1>, calls<twice>))> ==
              selector_matches_several<core::calls_t<twice>, all_of_nodes<2>>{});

}  // namespace
