// SPDX-License-Identifier: Apache-2.0
// reason: result_is_not_marked_out
// expect: result_is_not_marked_out<each_of<in_t<x>>>
// expect: begin_the_arguments_with_out_of_a_scalar
#include "names.hpp"

// [wrong]
const auto wrong = transform_reduce(over(x), square{}, plus{})(in(x[each]));  // here
// [/wrong]
