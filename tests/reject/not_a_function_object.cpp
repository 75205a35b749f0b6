// SPDX-License-Identifier: Apache-2.0
// reason: not_a_function_object
// expect: not_a_function_object<
// expect: write_a_struct_with_a_call_operator
#include "names.hpp"

// [wrong]
const auto wrong = for_each(over(x), double_it)(inout(x[each]));  // here
// [/wrong]
