// SPDX-License-Identifier: Apache-2.0
// reason: expression_in_place_of_a_predicate
// expect: expression_in_place_of_a_predicate<assign_formula>
// expect: write_loop_while_predicate_body_or_do_while_body_predicate
#include "names.hpp"

// [wrong]
const auto wrong = loop_while(assign(s, s / 2), s > tol);  // here
// [/wrong]
