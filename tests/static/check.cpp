// SPDX-License-Identifier: Apache-2.0
#include "../reject/names.hpp"

#include <cograph/check.hpp>

#include <cstdio>

// What check takes and refuses; docs/errors quotes it.
namespace {

using namespace cograph::reason;

constexpr auto clamped = for_each(over(x), clamp_each{})(inout(x[each]), tol);

[[maybe_unused]] void has_no_memory_of_its_own_right() {
    // [has_no_memory_of_its_own]
    const auto counted = for_each(over(x), clamp_each{})(inout(x[each]), tol);
    check(counted, x(memory), tol(1.0f), atomic(x));
    // [/has_no_memory_of_its_own]
}
static_assert(diagnose<decltype(atomic(tol))> == has_no_memory_of_its_own<struct tol>{});
static_assert(diagnose<decltype(atomic(A, 0.5))> == has_no_memory_of_its_own<struct A>{});
static_assert(diagnose<decltype(unordered(n))> == has_no_memory_of_its_own<struct n>{});
static_assert(diagnose<decltype(atomic(3))> == not_a_variable<int>{});
static_assert(diagnose<decltype(unordered(each))> == not_a_variable<core::each_t>{});

// Options stand anywhere behind the expression.
static_assert(std::is_same_v<decltype(check(clamped, x(memory), tol(1.0f))), check_report>);
static_assert(std::is_same_v<decltype(check(clamped, check_every_nth(3), x(memory), atomic(x), tol(1.0f), unordered(y), check_seed(2), check_all_pairs, without_hints)), check_report>);

// What is wrong with a run is wrong with a check.
#ifndef __CUDA_ARCH__
static_assert(diagnose<decltype(check(clamped, x(memory)))> == unbound_variable<struct tol>{});
static_assert(diagnose<decltype(check(clamped, x(memory), tol(1.0f), without_hints, s(memory)))> == unknown_variable<struct s>{});
static_assert(diagnose<decltype(check(kernel<saxpy>(over(x))(n, tol, x, y), x(memory), y(more_memory), n(16), tol(1.0f)))> == no_host_implementation<kernel_function<saxpy>>{});
#endif
static_assert(diagnose<decltype(check(clamp_each{}, x(memory)))> == diagnose<decltype(simulate(clamp_each{}, x(memory)))>);

// Calls of other functions of this name are not ours.
template <class... T>
concept is_ours = requires(T... arguments) { check(arguments...); };
static_assert(!is_ours<int> && !is_ours<int, const char*> && !is_ours<int, const char*, const char*, int> && !is_ours<>);

static_assert(diagnose<decltype(check_report{}.write(3))> == not_a_stream<int>{});
static_assert(std::is_void_v<decltype(check_report{}.write(stdout))>);

// A finding is a value without a place at first.
static_assert(finding{}.element == -1 && finding{}.first == -1 && finding{}.second == -1 && finding{}.iteration == -1 && !finding{}.is_hint);

}  // namespace
