// SPDX-License-Identifier: Apache-2.0
// reason: has_no_elements
// expect: has_no_elements<s>
// expect: use_each_of_buffers_and_temps
#include "names.hpp"

void run() {
    // [wrong]
    const auto wrong = for_each(over(x), axpy{})(s[each], x[each], inout(y[each]));  // here
    // [/wrong]
}
