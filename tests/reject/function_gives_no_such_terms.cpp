// SPDX-License-Identifier: Apache-2.0
// reason: function_gives_no_such_terms
// expect: function_gives_no_such_terms<square_of, takes_terms<2>>
// expect: return_terms_with_one_for_each_operation
#include "names.hpp"

struct square_of {
    COGRAPH_HD float operator()(index_t, float value) const { return value * value; }
};

// [wrong]
const auto wrong = transform_reduce(over(x), square_of{}, operations(plus{}, maximum{}))(out(s), out(u), in(x[each]));  // here
// [/wrong]
