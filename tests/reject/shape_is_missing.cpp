// SPDX-License-Identifier: Apache-2.0
// reason: shape_is_missing
// expect: shape_is_missing<kernel_function<saxpy>>
// expect: call_it_with_a_shape_and_then_with_its_arguments
#include "names.hpp"

// [wrong]
const auto wrong = kernel<saxpy>(n, tol, x, y);  // here
// [/wrong]
