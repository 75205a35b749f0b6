// SPDX-License-Identifier: Apache-2.0
// reason: temp_has_an_extent_already
// expect: temp_has_an_extent_already<z, x>
// expect: do_not_bind_it
#include "names.hpp"

void run() {
    // [wrong]
    const auto binding = z(16);  // here
    // [/wrong]
}
