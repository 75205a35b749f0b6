// SPDX-License-Identifier: Apache-2.0
// reason: block_is_too_large
// expect: block_is_too_large<2048, 1, 1>
// expect: give_at_most_1024_threads_and_64_along_z
#include "names.hpp"

// [wrong]
const auto wrong = over(x).block<2048>();  // here
// [/wrong]
