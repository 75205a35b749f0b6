// SPDX-License-Identifier: Apache-2.0
#include "../reject/names.hpp"

#include <cograph/batch.hpp>
#include <cograph/decided_by.hpp>
#include <cograph/host_driven.hpp>
#include <cograph/join/persistent.hpp>

#ifdef __CUDACC__
#define KERNEL __global__
#else
#define KERNEL
#endif
KERNEL void work(float*);
KERNEL void is_done(const float*, unsigned long long, int*);
KERNEL void narrow_handle(const float*, int);
#undef KERNEL
bool is_done_on_host(const float*, int*);
float how_much(const float*, int*);

// Loops and branches that kernels decide about.
namespace {

constexpr auto body = kernel<work>(over(x))(x);
// [kernel_takes_one_handle]
constexpr auto more = decided_by<is_done, is_done_on_host>(grid(1))(x, conditional_handle, i);
constexpr auto until_done = do_while(seq(fill(out(x), 1), body), more);
// [/kernel_takes_one_handle]
// [kernel_counts_no_iterations]
constexpr auto limited = seq(assign(u, 0), loop_while(u < 1000 && s > tol, seq(body, assign(u, u + 1))));
// [/kernel_counts_no_iterations]
// [kernel_selects_no_case]
constexpr auto either = when(more, body, otherwise(seq(body, body)));
// [/kernel_selects_no_case]
// [kernel_does_not_tell_the_host]
struct print_it {
    void operator()(const float*) const {}
};
constexpr auto told = loop_while(s > tol, seq(body, assign(s, s / 2), host(print_it{})(in(x))));
// [/kernel_does_not_tell_the_host]
static_assert(is_host_driven(told, at<0>));
static_assert(diagnose<decltype(when(more, host(print_it{})(in(x))))> == reason::kernel_does_not_tell_the_host<reason::kernel_function<is_done>>{});
static_assert(diagnose<decltype(do_while(host_driven(body), more))> == reason::kernel_does_not_tell_the_host<reason::kernel_function<is_done>>{});
// Mistakes have the same words in a program that includes cograph/host_driven.hpp.
constexpr auto halve = assign(s, s / 2);
constexpr auto print = host(print_it{})(in(x));
static_assert(diagnose<decltype(loop_while(s > tol, at_most(10), halve))> == reason::loop_option_is_not_last{} &&
              diagnose<decltype(loop_while(s > tol, at_most(10), host_driven(halve)))> == reason::loop_option_is_not_last{} &&
              diagnose<decltype(do_while(at_most(10), seq(halve, print), s > tol))> == reason::loop_option_is_not_last{} &&
              diagnose<decltype(do_while(seq(halve, print), at_most(10), s > tol))> == reason::loop_option_is_not_last{} &&
              diagnose<decltype(repeat(3, at_most(2), print))> == reason::loop_option_is_not_last{});
static_assert(diagnose<decltype(loop_while(s > tol, print_it{}))> == reason::not_an_expression<print_it>{} &&
              diagnose<decltype(repeat<3>(print_it{}))> == reason::not_an_expression<print_it>{} &&
              diagnose<decltype(when(s > tol, print_it{}))> == reason::not_an_expression<print_it>{} &&
              diagnose<decltype(when(s > tol, print_it{}, otherwise(print)))> == reason::not_an_expression<print_it>{} &&
              diagnose<decltype(switch_on(i, print_it{}, print))> == reason::not_an_expression<print_it>{});
constexpr auto tested = loop_while(more, body);

// The kernel runs before the loop too if that tests first; it writes and reads what its parameters allow.
static_assert(node_count(tested) == 5 && node_count(until_done) == 5);
static_assert(reads(tested, x, i) && writes(tested, x, i));
static_assert(has_edge(seq(body, either), at<0>, at<2>));
static_assert(diagnose<decltype(par(body, when(more, fill(out(y), 1))))> == reason::branches_race_on<struct x, reason::in_branch<1, reason::kernel_function<work>>, reason::in_branch<2, reason::kernel_function<is_done>>>{});

// It stays a conditional node, whatever is in its body; loops in there may be one kernel.
constexpr auto with_inner = do_while(seq(assign(u, 0), repeat(3, assign(u, u + 1)), body), more);
static_assert(why_not_persistent(tested, at<0>) == lowering_status::opaque_node && has_conditional_nodes(tested) && has_conditional_nodes(either));
static_assert(is_persistent(with_inner, at<3>) && !is_persistent(with_inner, at<0>));
static_assert(diagnose<decltype(require_persistent(do_while(assign(u, u + 1), more)))> == reason::loop_is_not_one_kernel<core::do_loop, reason::is_opaque<reason::kernel_function<is_done>>>{});
static_assert(diagnose<decltype(batch(over(4), do_while(assign(u, u + 1), more))(of_each(u)))> == reason::not_in_a_batch<reason::kernel_function<is_done>, reason::it_chooses_its_own_launch>{});

// Refused.
static_assert(diagnose<decltype(decided_by<is_done>(grid(1))(x, 3, i))> == reason::kernel_takes_one_handle<reason::kernel_function<is_done>, reason::given_handles<0>>{});
static_assert(diagnose<decltype(decided_by<narrow_handle>(grid(1))(x, conditional_handle))> == reason::kernel_takes_one_handle<reason::kernel_function<narrow_handle>, reason::given_handles<1>>{});
static_assert(diagnose<decltype(decided_by<is_done, other_on_host>(grid(1))(x, conditional_handle, i))> == reason::host_implementation_differs<reason::kernel_function<is_done>, reason::kernel_function<other_on_host>>{});
static_assert(diagnose<decltype(decided_by<is_done, how_much>(grid(1))(x, conditional_handle, i))> == reason::predicate_is_neither_bool_nor_integer<reason::kernel_function<how_much>, float>{});
static_assert(diagnose<decltype(seq(more))> == reason::predicate_in_place_of_an_expression<reason::kernel_function<is_done>>{});
static_assert(diagnose<decltype(do_while(body, more, check_every<2>))> == reason::kernel_counts_no_iterations<reason::kernel_function<is_done>>{});
static_assert(diagnose<decltype(loop_while(more, seq()))> == reason::loop_body_is_empty<core::while_loop>{});
#ifndef __CUDA_ARCH__  // nvcc asks the host alone
static_assert(diagnose<decltype(simulate(when(decided_by<is_done>(grid(1))(x, conditional_handle, i), fill(out(x), 1)), x(memory), i(&count)))> == reason::no_host_implementation<reason::kernel_function<is_done>>{});
#endif
static_assert(diagnose<decltype(core::loop_report<std::remove_const_t<decltype(tested)>>{}.iterations(at<0>))> == reason::kernel_counts_no_iterations<reason::kernel_function<is_done>>{});

}  // namespace
