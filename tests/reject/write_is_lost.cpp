// SPDX-License-Identifier: Apache-2.0
// reason: write_is_lost
// expect: write_is_lost<takes_a_copy, at_parameter<2, float>, each_of<inout_t<x>>>
// expect: take_it_by_reference_or_mark_it_in
#include "names.hpp"

// [wrong]
const auto wrong = for_each(over(x), takes_a_copy{})(inout(x[each]));  // here
// [/wrong]
