// SPDX-License-Identifier: Apache-2.0
// reason: assigned_is_no_scalar
// expect: assigned_is_no_scalar<x>
// expect: assign_to_a_scalar_or_fill_an_array
#include "names.hpp"

// [wrong]
const auto wrong = assign(x, 1);  // here
// [/wrong]
