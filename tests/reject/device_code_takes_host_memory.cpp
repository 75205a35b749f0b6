// SPDX-License-Identifier: Apache-2.0
// reason: device_code_takes_host_memory
// expect: device_code_takes_host_memory<half, h>
// expect: copy_it_to_a_buffer_first
#include <cograph.hpp>

using namespace cograph;
inline constexpr struct x : buffer<x, float> {} x;
inline constexpr struct h : pinned_buffer<h, float> {} h;
struct half {
    COGRAPH_HD void operator()(index_t, float&, const float*) const {}
};

// [wrong]
const auto wrong = for_each(over(x), half{})(inout(x[each]), in(h));  // here
// [/wrong]
