// SPDX-License-Identifier: Apache-2.0
// reason: predicate_in_place_of_an_expression
// expect: predicate_in_place_of_an_expression<formula_over<s>>
// expect: write_loop_while_predicate_body_or_do_while_body_predicate
#include "names.hpp"

// [wrong]
const auto wrong = when(s > tol, fill(out(x), 1), otherwise(s > 3));  // here
// [/wrong]
