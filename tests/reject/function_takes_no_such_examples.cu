// SPDX-License-Identifier: Apache-2.0
// reason: function_takes_no_such_examples
// expect: function_takes_no_such_examples<scale
// expect: give_an_example_for_each_argument_after_the_stream
#include <cograph/callable.cuh>

using namespace cograph;
struct scale {
    void operator()(cudaStream_t, std::span<float>, float) const {}
};

void run(std::span<float> memory) {
    // [wrong]
    make_callable(scale{}, {}, memory);  // here
    // [/wrong]
}
