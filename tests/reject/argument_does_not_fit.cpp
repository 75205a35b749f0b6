// SPDX-License-Identifier: Apache-2.0
// reason: argument_does_not_fit
// expect: argument_does_not_fit<kernel_function<saxpy>, at_parameter<3, const float*>, given_argument<d, double*>>
// expect: pass_the_type_that_the_parameter_takes
#include "names.hpp"

// [wrong]
const auto wrong = kernel<saxpy>(over(x))(n, tol, d, y);  // here
// [/wrong]
