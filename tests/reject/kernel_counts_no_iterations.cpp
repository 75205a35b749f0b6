// SPDX-License-Identifier: Apache-2.0
// reason: kernel_counts_no_iterations
// expect: kernel_counts_no_iterations<kernel_function<is_done>>
// expect: leave_at_most_and_check_every_out_or_decide_by_a_predicate
#include "names.hpp"

#include <cograph/decided_by.hpp>

#ifdef __CUDACC__
#define KERNEL __global__
#else
#define KERNEL
#endif
KERNEL void is_done(const float*, unsigned long long, unsigned long long);
#undef KERNEL
const auto body = for_each(over(x), twice{})(inout(x[each]));

// [wrong]
const auto wrong = loop_while(decided_by<is_done>(grid(1))(x, conditional_handle, 3), body, at_most(1000));  // here
// [/wrong]
