// SPDX-License-Identifier: Apache-2.0
// reason: elements_differ
// expect: elements_differ<d, holds_elements_of<double>, bound_to<float>>
// expect: bind_memory_of_the_variables_own_type
#include "names.hpp"

void run() {
    // [wrong]
    const auto binding = d(memory);  // here
    // [/wrong]
}
