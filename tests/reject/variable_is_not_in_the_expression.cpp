// SPDX-License-Identifier: Apache-2.0
// reason: variable_is_not_in_the_expression
// expect: variable_is_not_in_the_expression<t>
// expect: name_one_that_the_expression_uses
#include "names.hpp"

constexpr auto e = seq(copy(in(x), out(z)), copy(in(z), out(y)));
// [wrong]
constexpr bool wrong = may_alias(e, z, t);  // here
// [/wrong]
