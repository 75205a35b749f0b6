// SPDX-License-Identifier: Apache-2.0
// reason: all_problems_write
// expect: all_problems_write<y>
// expect: give_each_problem_its_own_with_of_each
#include "names.hpp"

#include <cograph/batch.hpp>

constexpr auto step = for_each(over(x), axpy{})(tol, in(x[each]), inout(y[each]));
// [wrong]
const auto wrong = batch(over(10), step)(of_each(x));  // here
// [/wrong]
