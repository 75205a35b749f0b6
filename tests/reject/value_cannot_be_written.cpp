// SPDX-License-Identifier: Apache-2.0
// reason: value_cannot_be_written
// expect: value_cannot_be_written<tol>
// expect: make_it_a_scalar
#include "names.hpp"

// [wrong]
const auto wrong = dot(out(tol), in(x), in(y));  // here
// [/wrong]
