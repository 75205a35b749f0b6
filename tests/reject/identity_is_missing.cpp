// SPDX-License-Identifier: Apache-2.0
// reason: identity_is_missing
// expect: identity_is_missing<larger, float>
// expect: pass_the_value_that_changes_nothing_after_the_operation
#include "names.hpp"

// [wrong]
const auto wrong = reduce(out(s), in(x), larger{});  // here
// [/wrong]
