// SPDX-License-Identifier: Apache-2.0
// reason: all_elements_change_one_scalar
// expect: all_elements_change_one_scalar<count_positive, i>
// expect: use_a_reduction_or_atomic_operations_on_a_buffer_of_one_element
#include "names.hpp"

// [wrong]
struct count_positive {
    COGRAPH_HD void operator()(index_t, const float& element, int& count) const { count += element > 0; }
};
const auto wrong = for_each(over(x), count_positive{})(in(x[each]), inout(i));  // here
// [/wrong]
