// SPDX-License-Identifier: Apache-2.0
// reason: not_trivially_copyable
// expect: not_trivially_copyable<owning_view, std::vector<float
// expect: keep_pointers_and_sizes_in_it_and_no_owners
#include "names.hpp"

void run() {
    // [wrong]
    const auto binding = owning_view(owner);  // here
    // [/wrong]
}
