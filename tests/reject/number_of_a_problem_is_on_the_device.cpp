// SPDX-License-Identifier: Apache-2.0
// reason: number_of_a_problem_is_on_the_device
// expect: number_of_a_problem_is_on_the_device<n>
// expect: use_a_value_that_all_problems_share
#include "names.hpp"

#include <cograph/batch.hpp>

inline constexpr struct powers : temp<powers, float, elements<n + 1>> {} powers;
// [wrong]
const auto wrong = batch(over(10), seq(fill(out(powers), 1.0f), reduce(out(s), in(powers))))(of_each(s), of_each(n));  // here
// [/wrong]
