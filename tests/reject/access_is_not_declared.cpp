// SPDX-License-Identifier: Apache-2.0
// reason: access_is_not_declared
// expect: access_is_not_declared
// expect: mark_the_variable_in_or_out_or_inout
#include <cograph.hpp>

using namespace cograph;
inline constexpr struct x : buffer<x, float> {} x;
struct scale {
    void operator()(CUstream_st*, float*) const {}
};

// [wrong]
const auto wrong = captured(scale{})(x);  // here
// [/wrong]
