// SPDX-License-Identifier: Apache-2.0
// reason: otherwise_without_when
// expect: otherwise_without_when<fill_elements>
// expect: write_when_predicate_expression_otherwise_expression
#include "names.hpp"

// [wrong]
const auto wrong = seq(fill(out(x), 1), otherwise(fill(out(x), 2)));  // here
// [/wrong]
