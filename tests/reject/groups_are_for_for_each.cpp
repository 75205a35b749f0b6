// SPDX-License-Identifier: Apache-2.0
// reason: groups_are_for_for_each
// expect: groups_are_for_for_each<value_of>
// expect: leave_out_group_or_call_for_each
#include "names.hpp"

struct value_of {
    COGRAPH_HD float operator()(index_t, index_t k, const float* values) const { return values[k]; }
};
inline constexpr struct offsets : buffer<offsets, int> {} offsets;

// [wrong]
const auto wrong = segmented_reduce(over(x).group<32>(), value_of{}, plus{})(out(y), in(offsets), in(x));  // here
// [/wrong]
