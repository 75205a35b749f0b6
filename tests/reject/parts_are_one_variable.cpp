// SPDX-License-Identifier: Apache-2.0
// reason: parts_are_one_variable
// expect: parts_are_one_variable<y>
// expect: give_each_part_a_variable
#include "names.hpp"

struct is_large {
    COGRAPH_HD bool operator()(float value) const { return value > 100; }
};

// [wrong]
const auto wrong = partition_copy(in(x), out(y), out(y), out(i), is_large{});  // here
// [/wrong]
