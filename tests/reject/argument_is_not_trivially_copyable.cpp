// SPDX-License-Identifier: Apache-2.0
// reason: argument_is_not_trivially_copyable
// expect: argument_is_not_trivially_copyable<scale
// expect: pass_plain_values_and_bind_memory_to_variables
#include "names.hpp"

// [wrong]
const auto wrong = for_each(over(x), scale{})(std::string("by two"), inout(x[each]));  // here
// [/wrong]
