// SPDX-License-Identifier: Apache-2.0
// reason: call_operator_is_not_const
// row: `call_operator_is_not_const` of a reduction and of a stream function
// errors: 2
// expect: call_operator_is_not_const<highest>
// expect: call_operator_is_not_const<enqueue>
#include <cograph/callable.cuh>

using namespace cograph;
inline constexpr struct x : buffer<x, float> {} x;
inline constexpr struct s : scalar<s, float> {} s;

struct highest {
    COGRAPH_HD float operator()(float a, float b) { return a < b ? b : a; }
};
struct enqueue {
    void operator()(cudaStream_t, std::span<const float>) {}
};

void make(std::span<const float> xs) {
    reduce(out(s), in(x), highest{}, 0.0f);  // here
    make_callable(enqueue{}, {}, xs);        // here
}
