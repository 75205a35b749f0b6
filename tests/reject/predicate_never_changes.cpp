// SPDX-License-Identifier: Apache-2.0
// reason: predicate_never_changes
// expect: predicate_never_changes<s, tol>
// expect: write_one_of_these_variables_in_the_body
#include "names.hpp"

// [wrong]
const auto wrong = loop_while(s > tol, fill(out(x), 1));  // here
// [/wrong]
