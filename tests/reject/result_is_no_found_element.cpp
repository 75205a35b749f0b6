// SPDX-License-Identifier: Apache-2.0
// reason: result_is_no_found_element
// expect: result_is_no_found_element<s, found_element<float>>
// expect: declare_the_scalar_of_this_type
#include "names.hpp"

// [wrong]
const auto wrong = max_element(out(s), in(x));  // here
// [/wrong]
