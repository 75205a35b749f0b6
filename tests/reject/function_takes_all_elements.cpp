// SPDX-License-Identifier: Apache-2.0
// reason: function_takes_all_elements
// expect: function_takes_all_elements<weigh, z>
// expect: leave_each_out
#include "names.hpp"

// [wrong]
const auto wrong = for_each(over(x), weigh{})(out(y[each]), in(x[each]), in(z[each]));  // here
// [/wrong]
