// SPDX-License-Identifier: Apache-2.0
// reason: result_is_lost
// expect: result_is_lost<square, float>
// expect: let_it_write_the_variables_that_are_marked_out_or_inout
#include "names.hpp"

// [wrong]
const auto wrong = for_each(over(x), square{})(in(x[each]));  // here
// [/wrong]
