// SPDX-License-Identifier: Apache-2.0
// reason: shared_memory_is_too_large
// expect: shared_memory_is_too_large<300000>
// expect: ask_for_at_most_232448_bytes
#include "names.hpp"

// [wrong]
const auto wrong = over(x).shared<300000>();  // here
// [/wrong]
