// SPDX-License-Identifier: Apache-2.0
// reason: branches_race_on
// expect: branches_race_on<x, in_branch<1, fill_elements>, in_branch<2, copy_elements>>
// expect: order_them_with_seq_or_give_each_branch_a_variable_of_its_own
#include "names.hpp"

// [wrong]
const auto wrong = par(fill(out(x), 1), copy(in(x), out(y)));  // here
// [/wrong]
