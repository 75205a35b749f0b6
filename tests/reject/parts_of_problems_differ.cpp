// SPDX-License-Identifier: Apache-2.0
// reason: parts_of_problems_differ
// expect: parts_of_problems_differ<axpy, y>
// expect: let_the_node_run_over_elements_with_the_same_parts
#include "names.hpp"

#include <cograph/batch.hpp>

inline constexpr struct begins : buffer<begins, int> {} begins;
constexpr auto step = for_each(over(x), axpy{})(tol, in(x[each]), inout(y[each]));
// [wrong]
const auto wrong = batch(over(10), step)(of_each(x), of_each(y).between(begins, n));  // here
// [/wrong]
