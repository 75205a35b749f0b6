// SPDX-License-Identifier: Apache-2.0
// reason: enumeration_is_no_number
// expect: enumeration_is_no_number<how, int>
// expect: compare_it_with_its_own_kind_and_assign_it_that
#include "names.hpp"

// [wrong]
enum class state { running, stopped };
inline constexpr struct how : scalar<how, state> {} how;
const auto wrong = when(how == 1, fill(out(x), 1));  // here
// [/wrong]
