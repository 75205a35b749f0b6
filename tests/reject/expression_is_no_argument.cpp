// SPDX-License-Identifier: Apache-2.0
// reason: expression_is_no_argument
// expect: expression_is_no_argument<twice, copy_elements>
// expect: put_it_before_the_node_with_seq_and_pass_the_variable_that_it_writes
#include "names.hpp"

// [wrong]
const auto wrong = for_each(over(x), twice{})(copy(in(x), out(y)));  // here
// [/wrong]
