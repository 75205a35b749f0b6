// SPDX-License-Identifier: Apache-2.0
// reason: view_may_leave_elements_out
// expect: view_may_leave_elements_out<x, every_second>
// expect: bind_a_span_or_the_pointer_and_count_of_contiguous_elements
#include "names.hpp"

struct every_second {
    float* data() const;
    int size() const;
    int stride() const;
};
void run(every_second odd) {
    // [wrong]
    const auto binding = x(odd);  // here
    // [/wrong]
}
