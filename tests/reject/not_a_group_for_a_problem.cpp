// SPDX-License-Identifier: Apache-2.0
// reason: not_a_group_for_a_problem
// expect: not_a_group_for_a_problem<8>
// expect: take_1_or_a_power_of_two_from_32_to_1024
#include "names.hpp"

#include <cograph/batch.hpp>

constexpr auto step = for_each(over(x), axpy{})(tol, in(x[each]), inout(y[each]));
// [wrong]
const auto wrong = batch(over(10).group<8>(), step)(of_each(y));  // here
// [/wrong]
