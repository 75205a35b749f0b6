// SPDX-License-Identifier: Apache-2.0
// reason: reports_go_to_loop_outcomes
// expect: reports_go_to_loop_outcomes<d>
// expect: declare_it_as_a_buffer_of_loop_outcome
#include "names.hpp"

#include <cograph/batch.hpp>

constexpr auto step = for_each(over(x), axpy{})(tol, in(x[each]), inout(y[each]));
// [wrong]
const auto wrong = batch(over(10), repeat(n, step))(of_each(y), report_of_each(d));  // here
// [/wrong]
