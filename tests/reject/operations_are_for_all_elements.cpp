// SPDX-License-Identifier: Apache-2.0
// reason: operations_are_for_all_elements
// expect: operations_are_for_all_elements<square_and_itself>
// expect: write_a_transform_reduce_for_each_operation
#include "names.hpp"

struct square_and_itself {
    COGRAPH_HD auto operator()(index_t, index_t, float value) const { return terms{value * value, value}; }
};

// [wrong]
const auto wrong = transform_reduce(over(4, 8), square_and_itself{}, operations(plus{}, maximum{}))(out(s), out(u), in(x[each]));  // here
// [/wrong]
