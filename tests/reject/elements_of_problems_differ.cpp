// SPDX-License-Identifier: Apache-2.0
// reason: elements_of_problems_differ
// expect: elements_of_problems_differ<x, d>
// expect: name_a_buffer_or_temp_of_the_same_type
#include "names.hpp"

#include <cograph/batch.hpp>

// [wrong]
const auto wrong = of_each(x).in(d);  // here
// [/wrong]
