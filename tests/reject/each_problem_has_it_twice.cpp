// SPDX-License-Identifier: Apache-2.0
// reason: each_problem_has_it_twice
// expect: each_problem_has_it_twice<y>
// expect: write_of_each_once_for_a_variable
#include "names.hpp"

#include <cograph/batch.hpp>

constexpr auto step = for_each(over(x), axpy{})(tol, in(x[each]), inout(y[each]));
// [wrong]
const auto wrong = batch(over(10), step)(of_each(y), of_each(y));  // here
// [/wrong]
