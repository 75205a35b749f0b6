// SPDX-License-Identifier: Apache-2.0
// reason: in_any_order_is_no_constant
// expect: in_any_order_is_no_constant<sum_of_fixed_point>
// expect: write_static_constexpr_bool_in_any_order
#include "names.hpp"

// [wrong]
struct sum_of_fixed_point {
    bool in_any_order = true;
    COGRAPH_HD float operator()(float a, float b) const { return a + b; }
};
const auto wrong = reduce(out(s), in(x), sum_of_fixed_point{}, 0.0f);  // here
// [/wrong]
