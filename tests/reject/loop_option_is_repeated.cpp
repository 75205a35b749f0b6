// SPDX-License-Identifier: Apache-2.0
// reason: loop_option_is_repeated
// expect: keep_one_of_them
#include "names.hpp"

// [wrong]
const auto wrong = loop_while(s > tol, assign(s, s / 2), at_most(10), at_most(20));  // here
// [/wrong]
