// SPDX-License-Identifier: Apache-2.0
// reason: parameters_are_too_large
// expect: parameters_are_too_large<kernel_function<takes_table>, parameter_bytes<40008>, limit_is<32764>>
// expect: bind_large_data_as_a_buffer
#include "names.hpp"

// [wrong]
const auto wrong = kernel<takes_table>(over(x))(table{}, x);  // here
// [/wrong]
