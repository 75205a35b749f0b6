// SPDX-License-Identifier: Apache-2.0
// reason: attributes_are_for_kernels
// expect: attributes_are_for_kernels<half>
// expect: leave_out_cluster_cooperative_priority_and_programmatic
#include <cograph.hpp>

using namespace cograph;
inline constexpr struct x : buffer<x, float> {} x;
struct half {
    COGRAPH_HD void operator()(index_t, float& value) const { value /= 2; }
};

// [wrong]
const auto wrong = for_each(over(x).cluster(2), half{})(inout(x[each]));  // here
// [/wrong]
