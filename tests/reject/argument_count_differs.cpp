// SPDX-License-Identifier: Apache-2.0
// reason: argument_count_differs
// expect: argument_count_differs<kernel_function<saxpy>, takes_parameters<4>, given_arguments<3>>
// expect: give_one_argument_for_each_parameter
#include "names.hpp"

// [wrong]
const auto wrong = kernel<saxpy>(over(x))(n, tol, x);  // here
// [/wrong]
