// SPDX-License-Identifier: Apache-2.0
// reason: swapped_with_itself
// expect: swapped_with_itself<x>
// expect: give_two_variables
#include "names.hpp"

// [wrong]
const auto wrong = swap(x, x);  // here
// [/wrong]
