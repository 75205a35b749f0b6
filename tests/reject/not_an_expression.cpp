// SPDX-License-Identifier: Apache-2.0
// reason: not_an_expression
// expect: not_an_expression<twice>
// expect: pass_nodes_or_what_is_built_of_them
#include "names.hpp"

// [wrong]
const auto wrong = seq(twice{}, fill(out(x), 1));  // here
// [/wrong]
