// SPDX-License-Identifier: Apache-2.0
// reason: kernel_takes_one_handle
// expect: kernel_takes_one_handle<kernel_function<is_done>, given_handles<2>>
// expect: pass_conditional_handle_to_its_parameter_of_type_cudaGraphConditionalHandle
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
const auto wrong = decided_by<is_done>(grid(1))(x, conditional_handle, conditional_handle);  // here
// [/wrong]
