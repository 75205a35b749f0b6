// SPDX-License-Identifier: Apache-2.0
// reason: operation_cannot_join
// expect: operation_cannot_join<twice, float>
// expect: let_it_take_two_of_that_type_and_give_one
#include "names.hpp"

// [wrong]
const auto wrong = reduce(out(s), in(x), twice{});  // here
// [/wrong]
