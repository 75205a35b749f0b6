// SPDX-License-Identifier: Apache-2.0
// reason: not_of_each_problem
// expect: not_of_each_problem<x>
// expect: write_of_each_of_a_variable
#include "names.hpp"

#include <cograph/batch.hpp>

constexpr auto step = for_each(over(x), axpy{})(tol, in(x[each]), inout(y[each]));
// [wrong]
const auto wrong = batch(over(10), step)(of_each(y), x);  // here
// [/wrong]
