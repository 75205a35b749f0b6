// SPDX-License-Identifier: Apache-2.0
// reason: kernel_takes_one_handle
// expect: kernel_takes_one_handle<kernel_function<is_done>, given_handles<2>>
// expect: pass_conditional_handle_to_its_parameter_of_type_cudaGraphConditionalHandle
#include "decided.hpp"

// [wrong]
const auto wrong = decided_by<is_done>(grid(1))(x, conditional_handle, conditional_handle);  // here
// [/wrong]
