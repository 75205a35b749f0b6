// SPDX-License-Identifier: Apache-2.0
// reason: warm_up_cannot_restore
// expect: warm_up_cannot_restore
// expect: hand_it_the_memory_of_the_view_as_a_buffer
#include <cograph.hpp>

using namespace cograph;
struct matrix {
    float* elements;
};
inline constexpr struct A : view<A, matrix> {} A;
struct scale {
    void operator()(CUstream_st*, matrix) const {}
};

// [wrong]
const auto wrong = captured(scale{}).warm_up()(inout(A));  // here
// [/wrong]
