// SPDX-License-Identifier: Apache-2.0
// reason: not_an_expression
// expect: not_an_expression<twice>
// expect: pass_nodes_or_expressions_of_nodes
#include "names.hpp"

// [wrong]
const auto wrong = seq(twice{}, fill(out(x), 1));  // here
// [/wrong]
