// SPDX-License-Identifier: Apache-2.0
// reason: result_is_no_scalar
// expect: result_is_no_scalar<y>
// expect: receive_the_result_in_a_scalar
#include "names.hpp"

// [wrong]
const auto wrong = reduce(out(y), in(x));  // here
// [/wrong]
