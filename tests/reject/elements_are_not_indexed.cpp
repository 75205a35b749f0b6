// SPDX-License-Identifier: Apache-2.0
// reason: elements_are_not_indexed
// expect: elements_are_not_indexed<x, int>
// expect: write_x_each_or_index_in_the_function_object
#include "names.hpp"

void run() {
    // [wrong]
    const auto wrong = assign(s, x[0]);  // here
    // [/wrong]
}
