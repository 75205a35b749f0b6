// SPDX-License-Identifier: Apache-2.0
// reason: call_operator_is_not_const
// expect: call_operator_is_not_const<counts>
// expect: make_the_call_operator_const
#include "names.hpp"

// [wrong]
struct counts {
    COGRAPH_HD void operator()(index_t, float& element) { element += 1; }
};
const auto wrong = for_each(over(x), counts{})(inout(x[each]));  // here
// [/wrong]
