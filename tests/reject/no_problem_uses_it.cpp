// SPDX-License-Identifier: Apache-2.0
// reason: no_problem_uses_it
// expect: no_problem_uses_it<d>
// expect: leave_it_out_or_use_it_in_the_expression
#include "names.hpp"

#include <cograph/batch.hpp>

constexpr auto step = for_each(over(x), axpy{})(tol, in(x[each]), inout(y[each]));
// [wrong]
const auto wrong = batch(over(10), step)(of_each(y), of_each(d));  // here
// [/wrong]
