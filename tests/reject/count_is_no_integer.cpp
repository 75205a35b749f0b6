// SPDX-License-Identifier: Apache-2.0
// reason: count_is_no_integer
// expect: count_is_no_integer<s>
// expect: count_into_an_integer_scalar
#include "names.hpp"

struct is_large {
    COGRAPH_HD bool operator()(float value) const { return value > 100; }
};

// [wrong]
const auto wrong = copy_if(in(x), out(y), out(s), is_large{});  // here
// [/wrong]
