// SPDX-License-Identifier: Apache-2.0
// reason: repeats_a_negative_number_of_times
// expect: repeats_a_negative_number_of_times<-1>
// expect: repeat_at_least_zero_times
#include "names.hpp"

// [wrong]
const auto wrong = repeat<-1>(fill(out(x), 1));  // here
// [/wrong]
