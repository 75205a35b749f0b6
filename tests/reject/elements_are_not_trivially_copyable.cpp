// SPDX-License-Identifier: Apache-2.0
// reason: elements_are_not_trivially_copyable
// expect: elements_are_not_trivially_copyable<words
// expect: hold_plain_values_without_const
#include "names.hpp"

void run() {
    // [wrong]
    const auto wrong = fill(out(words), 1);  // here
    // [/wrong]
}
