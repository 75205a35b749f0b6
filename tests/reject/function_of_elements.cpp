// SPDX-License-Identifier: Apache-2.0
// reason: formula_has_a_value_for_each_element
// row: `min` and `abs` of elements that nothing is asked of
// expect: formula_has_a_value_for_each_element<x, y, tol>
// expect: test_all_any_or_none_of_the_elements
#include "names.hpp"

const auto wrong = loop_while(min(abs(x - y), 1) > tol, fill(out(x), 1));  // here
