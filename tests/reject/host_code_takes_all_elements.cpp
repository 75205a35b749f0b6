// SPDX-License-Identifier: Apache-2.0
// reason: host_code_takes_all_elements
// expect: host_code_takes_all_elements
// expect: mark_the_variable_without_each
#include <cograph.hpp>

using namespace cograph;
inline constexpr struct x : buffer<x, float> {} x;
struct scale {
    void operator()(CUstream_st*, float*) const {}
};

// [wrong]
const auto wrong = captured(scale{})(inout(x[each]));  // here
// [/wrong]
