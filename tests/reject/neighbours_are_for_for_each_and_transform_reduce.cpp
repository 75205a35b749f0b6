// SPDX-License-Identifier: Apache-2.0
// reason: neighbours_are_for_for_each_and_transform_reduce
// expect: neighbours_are_for_for_each_and_transform_reduce<sum_of_row, x>
// expect: pass_the_whole
#include "names.hpp"

struct sum_of_row {
    template <class Group, class Row>
    COGRAPH_HD void operator()(Group const& group, index_t, Row const& row, float& to) const {
        to = group.transform_reduce(8, [&](int k) { return row[k]; }, plus{});
    }
};

// [wrong]
const auto wrong = for_each(over(y).group<32>(), sum_of_row{})(in(x[near<8>]), out(y[each]));  // here
// [/wrong]
