// SPDX-License-Identifier: Apache-2.0
// reason: temp_of_a_problem_has_no_size
// expect: temp_of_a_problem_has_no_size<t>
// expect: declare_it_as_long_as_a_buffer_or_as_a_formula
#include "names.hpp"

#include <cograph/batch.hpp>

// [wrong]
const auto wrong = batch(over(10), for_each(over(x), axpy{})(tol, in(x[each]), out(t[each])))(of_each(x));  // here
// [/wrong]
