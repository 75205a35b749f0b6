// SPDX-License-Identifier: Apache-2.0
// reason: result_is_no_status
// expect: result_is_no_status
// expect: return_nothing_or_a_status_whose_zero_is_success
#include <cograph.hpp>

using namespace cograph;
inline constexpr struct x : buffer<x, float> {} x;
struct norm_of {
    double operator()(CUstream_st*, const float*) const { return 0; }
};

// [wrong]
const auto wrong = captured(norm_of{})(in(x));  // here
// [/wrong]
