// SPDX-License-Identifier: Apache-2.0
// reason: scanned_in_place
// expect: scanned_in_place<x>
// expect: give_out_another_variable
#include "names.hpp"

// [wrong]
const auto wrong = inclusive_scan(in(x), out(x));  // here
// [/wrong]
