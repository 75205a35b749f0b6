// SPDX-License-Identifier: Apache-2.0
// reason: radius_has_other_dimensions
// expect: radius_has_other_dimensions<flux, x, near_t<1>, dimensions<2>>
// expect: give_near_a_number_for_each_dimension_of_the_shape
#include "names.hpp"

// [wrong]
const auto wrong = for_each(over<16, 16>(), flux{})(in(x[near<1>]), out(y[each]));  // here
// [/wrong]
