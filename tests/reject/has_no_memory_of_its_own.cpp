// SPDX-License-Identifier: Apache-2.0
// reason: has_no_memory_of_its_own
// expect: has_no_memory_of_its_own<tol>
// expect: name_a_buffer_a_temp_or_a_scalar
#include "names.hpp"

#include <cograph/check.hpp>

// [wrong]
const auto wrong = atomic(tol);  // here
// [/wrong]
