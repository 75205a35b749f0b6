// SPDX-License-Identifier: Apache-2.0
// reason: second_branch_is_bare
// expect: second_branch_is_bare<fill_elements>
// expect: write_otherwise_around_it
#include "names.hpp"

// [wrong]
const auto wrong = when(s > tol, fill(out(x), 1), fill(out(x), 2));  // here
// [/wrong]
