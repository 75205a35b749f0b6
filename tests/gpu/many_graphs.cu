// SPDX-License-Identifier: Apache-2.0
#include "ways.cuh"

#include <span>
#include <vector>

// Graphs of which the driver failed a launch now and then: conditional nodes side by side, bodies of several groups, kernels over no
// elements and kernels left out. It took up to some hundred graphs.
namespace many_graphs {

using namespace cograph;

inline constexpr struct x : buffer<x, int> {} x;
inline constexpr struct y : buffer<y, int> {} y;
inline constexpr struct empty_x : buffer<empty_x, int> {} empty_x;
inline constexpr struct empty_y : buffer<empty_y, int> {} empty_y;
inline constexpr struct z : buffer<z, int> {} z;
inline constexpr struct i : scalar<i, int> {} i;
inline constexpr struct j : scalar<j, int> {} j;
inline constexpr struct side : scalar<side, int> {} side;

__global__ void increase(int* values, index_t size) {
    const index_t at = blockIdx.x * static_cast<index_t>(blockDim.x) + threadIdx.x;
    if (at < size) ++values[at];
}
constexpr auto add_to(auto of) { return kernel<increase>(over(of))(inout(of), extent(of)); }

constexpr auto several =
    par(seq(assign(i, 0), do_while(seq(when(i % 2 == 0, add_to(x)), add_to(empty_x), assign(i, i + 1)), i < 4)),
        seq(assign(j, 0), loop_while(j < 3, seq(add_to(empty_y), repeat(2, add_to(y)), assign(j, j + 1)))),
        switch_on(side, label("left out", add_to(z)), assign(side, 0)));

TEST_CASE("hundreds of graphs of loops side by side, of kernels over nothing and kernels left out", "[gpu][many_graphs]") {
    constexpr int length = 1000;
    const ways::stream on;
    const ways::device_array<int> xs(length, 0), ys(length, 0), zs(length, 0), counters(3, 0);
    int* const at = counters.data();
    constexpr int graphs = 300;
    for (int graph = 0; graph < graphs; ++graph) {
        auto exec = instantiate(node_by_node(several), x(xs.all()), y(ys.all()), z(zs.all()), empty_x(std::span<int>()),
                                empty_y(std::span<int>()), i(at), j(at + 1), side(at + 2));
        if (graph % 2 == 1) exec.disable("left out");
        exec.launch(on);
        exec.launch(on);
        on.wait();
    }
    CHECK(xs.read() == std::vector<int>(length, 2 * 2 * graphs));
    CHECK(ys.read() == std::vector<int>(length, 2 * 6 * graphs));
    CHECK(zs.read() == std::vector<int>(length, 2 * (graphs / 2)));
}

}  // namespace many_graphs
