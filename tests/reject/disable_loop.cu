// reason: cannot_be_left_out
// only: nvcc
// expect: cannot_be_left_out
#include <cograph.cuh>

#include <span>

using namespace cograph;
inline constexpr struct x : buffer<x, float> {} x;

constexpr auto filling = repeat(3, fill(out(x), 1));

void run(std::span<float> memory) {
    auto exec = instantiate(node_by_node(filling), x(memory));
    exec.disable(at<0>);  // here
}
