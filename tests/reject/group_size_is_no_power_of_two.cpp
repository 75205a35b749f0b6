// SPDX-License-Identifier: Apache-2.0
// reason: group_size_is_no_power_of_two
// expect: group_size_is_no_power_of_two<48>
// expect: give_1_2_4_and_so_on_up_to_1024
#include "names.hpp"

// [wrong]
const auto wrong = over(x).group<48>();  // here
// [/wrong]
