// SPDX-License-Identifier: Apache-2.0
// reason: scalar_needs_a_pointer
// expect: scalar_needs_a_pointer<s, float>
// expect: bind_the_address_of_one_element
#include "names.hpp"

void run() {
    // [wrong]
    const auto binding = s(3.0f);  // here
    // [/wrong]
}
