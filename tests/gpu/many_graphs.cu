// SPDX-License-Identifier: Apache-2.0
#include "ways.cuh"

#include <exception>
#include <span>
#include <string>
#include <thread>
#include <vector>

// Graphs of which the driver failed a launch now and then: loops around one node, kernels over no elements and kernels left out.
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
        auto exec = instantiate(as_nodes(several), x(xs.all()), y(ys.all()), z(zs.all()), empty_x(std::span<int>()),
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

struct increase_first {
    COGRAPH_HD void operator()(int* values) const { ++values[0]; }
};
constexpr auto one_node_each = par(repeat(3, single_task(increase_first{})(inout(x))), repeat(3, single_task(increase_first{})(inout(y))));
static_assert(why_not_persistent(one_node_each, at<0>) == lowering_status::single_task_writes_memory, "its loops are conditional nodes");

TEST_CASE("loops of one node side by side, in graphs side by side", "[gpu][many_graphs]") {
    constexpr int graphs = 4, launches = 2'000;
    const ways::device_array<int> all(2 * graphs, 0);
    const ways::stream on[graphs];
    const auto make = [&](std::size_t graph) {
        return instantiate(one_node_each, x(all.all().subspan(2 * graph, 1)), y(all.all().subspan(2 * graph + 1, 1)));
    };
    using executable_type = decltype(make(0));
    std::vector<executable_type> execs;
    for (std::size_t graph = 0; graph < graphs; ++graph) execs.push_back(make(graph));
    for (std::size_t graph = 0; graph < graphs; ++graph) execs[graph].launch(on[graph]);
    for (const ways::stream& one : on) one.wait();

    allow_concurrent_graphs(true);
    std::vector<std::thread> threads;
    std::vector<std::string> failures(graphs);
    for (std::size_t graph = 0; graph < graphs; ++graph)
        threads.emplace_back([&, graph] {
            try {
                for (int launch = 1; launch < launches; ++launch) {
                    execs[graph].launch(on[graph]);
                    on[graph].wait();
                }
            } catch (const std::exception& failure) {
                failures[graph] = failure.what();
            }
        });
    for (std::thread& one : threads) one.join();
    allow_concurrent_graphs(false);
    CHECK(failures == std::vector<std::string>(graphs));
    CHECK(all.read() == std::vector<int>(2 * graphs, 3 * launches));
}

}  // namespace many_graphs
