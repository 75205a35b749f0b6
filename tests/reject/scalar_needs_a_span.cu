// SPDX-License-Identifier: Apache-2.0
// reason: scalar_needs_a_span
// expect: scalar_needs_a_span<s, float *>
// expect: pass_a_span_of_its_one_element
#include <cograph/callable.cuh>

using namespace cograph;
inline constexpr struct x : buffer<x, float> {} x;
inline constexpr struct s : scalar<s, float> {} s;

void run(cudaStream_t stream, std::span<float> xs, float* result) {
    // [wrong]
    auto sum = make_callable(reduce(out(s), in(x)), arguments(in(x), out(s)), {}, x(xs), s(result));
    sum(stream, xs, result);  // here
    // [/wrong]
}
