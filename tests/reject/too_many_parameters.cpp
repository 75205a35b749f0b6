// SPDX-License-Identifier: Apache-2.0
// reason: too_many_parameters
// expect: too_many_parameters<kernel_function<takes_many>, takes_parameters<257>, limit_is<256>>
// expect: pass_several_in_one_struct
#include "names.hpp"

// [wrong]
const auto wrong = kernel<takes_many>(over(x))();  // here
// [/wrong]
