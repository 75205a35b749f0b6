// SPDX-License-Identifier: Apache-2.0
// reason: terms_are_only_read
// expect: terms_are_only_read<square_into>
// expect: write_it_in_a_for_each_before_the_scan
#include "names.hpp"

struct square_into {
    COGRAPH_HD float operator()(index_t, float value, float& square) const { return square = value * value; }
};

// [wrong]
const auto wrong = transform_inclusive_scan(over(x), square_into{}, plus{})(out(y), in(x[each]), out(z[each]));  // here
// [/wrong]
