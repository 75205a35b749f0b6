// SPDX-License-Identifier: Apache-2.0
// reason: not_a_kernel
// expect: not_a_kernel<
// expect: name_a_global_function_that_returns_void
#include "names.hpp"

// [wrong]
const auto wrong = kernel<positive_sum>(over(x))(x);  // here
// [/wrong]
