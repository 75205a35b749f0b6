// SPDX-License-Identifier: Apache-2.0
// reason: element_test_is_not_bool
// expect: element_test_is_not_bool<look_at, x>
// expect: return_bool_for_each_element
#include "names.hpp"

struct look_at {
    COGRAPH_HD void operator()(float) const {}
};
// [wrong]
const auto wrong = when(any_of(x, look_at{}), fill(out(y), 1));  // here
// [/wrong]
