// SPDX-License-Identifier: Apache-2.0
// reason: term_does_not_convert
// expect: term_does_not_convert<twice, float>
// expect: let_the_function_give_the_type_of_the_scalar
#include "names.hpp"

// [wrong]
const auto wrong = transform_reduce(over(x), twice{}, plus{})(out(s), inout(x[each]));  // here
// [/wrong]
