// SPDX-License-Identifier: Apache-2.0
// reason: predicate_never_changes
// row: the same mistake twice, and by two functions
// expect: predicate_never_changes<s, tol>
// errors: 4
#include "names.hpp"

const auto first = loop_while(s > tol, fill(out(x), 1));             // here
const auto second = loop_while(s > tol, seq(copy(in(x), out(y))));   // here
const auto third = do_while(fill(out(x), 1), s > tol);               // here
const auto fourth = do_while(seq(fill(out(x), 1), second), s > tol);
const auto fifth = copy(in(x), out(tol));                            // here
