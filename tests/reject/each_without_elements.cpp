// SPDX-License-Identifier: Apache-2.0
// reason: each_without_elements
// expect: each_without_elements<clamp>
// expect: pass_the_whole_or_use_for_each
#include "names.hpp"

// [wrong]
const auto wrong = single_task(clamp{})(inout(x[each]), tol);  // here
// [/wrong]
