// SPDX-License-Identifier: Apache-2.0
// reason: value_does_not_convert
// expect: value_does_not_convert<tol, is_of_type<float>, bound_to<float*>>
// expect: bind_a_value_of_the_variables_own_type
#include "names.hpp"

void run() {
    // [wrong]
    const auto binding = tol(&memory[0]);  // here
    // [/wrong]
}
