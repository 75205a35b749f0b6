// SPDX-License-Identifier: Apache-2.0
// reason: not_parts_of_problems
// expect: not_parts_of_problems<y, x, n>
// expect: name_a_buffer_of_integers_and_an_integer_value
#include "names.hpp"

#include <cograph/batch.hpp>

// [wrong]
const auto wrong = of_each(y).between(x, n);  // here
// [/wrong]
