// SPDX-License-Identifier: Apache-2.0
// reason: elements_are_no_numbers
// expect: elements_are_no_numbers<pairs>
// expect: use_any_of_with_a_function_object_or_reduce_them
#include "names.hpp"

struct pair_of_floats {
    float first, second;
};
inline constexpr struct pairs : buffer<pairs, pair_of_floats> {} pairs;
// [wrong]
const auto wrong = when(max_abs(pairs) > 3, fill(out(x), 1));  // here
// [/wrong]
