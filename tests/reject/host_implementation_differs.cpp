// SPDX-License-Identifier: Apache-2.0
// reason: host_implementation_differs
// expect: host_implementation_differs<kernel_function<saxpy>, kernel_function<other_on_host>>
// expect: give_both_functions_the_same_parameters
#include "names.hpp"

// [wrong]
const auto wrong = kernel<saxpy, other_on_host>(over(x))(n, tol, x, y);  // here
// [/wrong]
