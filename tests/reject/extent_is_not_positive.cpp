// SPDX-License-Identifier: Apache-2.0
// reason: extent_is_not_positive
// expect: extent_is_not_positive<0, 1, 1>
// expect: give_at_least_one
#include "names.hpp"

// [wrong]
const auto wrong = over(x).block<0>();  // here
// [/wrong]
