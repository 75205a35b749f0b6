// SPDX-License-Identifier: Apache-2.0
// reason: elements_cannot_be_assigned
// expect: elements_cannot_be_assigned<fixed>
// expect: leave_const_and_references_out_of_its_members
#include "names.hpp"

// [wrong]
const auto wrong = copy(in(fixed_numbers), out(other_fixed));  // here
// [/wrong]
