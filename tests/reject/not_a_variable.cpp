// SPDX-License-Identifier: Apache-2.0
// reason: not_a_variable
// expect: not_a_variable<float*>
// expect: mark_variables_only
#include "names.hpp"

// [wrong]
const auto wrong = fill(out(memory), 1);  // here
// [/wrong]
