// SPDX-License-Identifier: Apache-2.0
// reason: temp_takes_a_count
// expect: temp_takes_a_count<t, std::span<float, 16>>
// expect: bind_the_number_of_its_elements
#include "names.hpp"

void run() {
    // [wrong]
    const auto binding = t(std::span(memory));  // here
    // [/wrong]
}
