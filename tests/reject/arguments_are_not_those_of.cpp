// SPDX-License-Identifier: Apache-2.0
// reason: arguments_are_not_those_of
// expect: arguments_are_not_those_of
// expect: write_when_predicate_expression_otherwise_expression
#include "names.hpp"

// [wrong]
const auto wrong = when(s > tol);  // here
// [/wrong]
