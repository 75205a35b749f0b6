// SPDX-License-Identifier: Apache-2.0
// reason: group_is_taken_by_value
// expect: group_is_taken_by_value<set_to_number>
// expect: take_the_group_by_reference_to_const
#include "names.hpp"

// [wrong]
struct set_to_number {
    COGRAPH_HD void operator()(thread_group<32> group, index_t i, float* to) const {
        if (group.rank() == 0) to[i] = static_cast<float>(i);
    }
};
const auto wrong = for_each(over(x).group<32>(), set_to_number{})(out(y));  // here
// [/wrong]
