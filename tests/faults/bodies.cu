// SPDX-License-Identifier: Apache-2.0
#include "../catch.hpp"
#include "../expressions/unrolled.hpp"
#include "../graph_by_hand.hpp"

#include <cograph/decided_by.cuh>
#include <cograph/join/add_to.cuh>
#include <cograph/join/captured_stream.cuh>

#include "../device_memory.cuh"
#include "every_call.hpp"

#include <cstdint>
#include <span>
#include <vector>

// In the body of a loop every kernel has another one between two of its runs: the runtime of these tests refuses other graphs, as
// the driver fails their launches now and then.
namespace bodies {

using namespace cograph;

inline constexpr struct x : buffer<x, double> {} x;
inline constexpr struct y : buffer<y, double> {} y;
inline constexpr struct i : scalar<i, int> {} i;
inline constexpr struct j : scalar<j, int> {} j;
inline constexpr struct n : value<n, int> {} n;

__global__ void twice(double* values) { values[threadIdx.x] *= 2; }
__global__ void decide(cudaGraphConditionalHandle condition) { cudaGraphSetConditional(condition, 0); }

__global__ void decide_later(const double*, int*, cudaGraphConditionalHandle condition) { cudaGraphSetConditional(condition, 0); }

struct store {
    COGRAPH_HD void operator()(double* to) const { to[0] = 1; }
};
constexpr auto stored = single_task(store{})(inout(x));  // writes memory, so no loop around it is a persistent kernel
constexpr auto next = assign(i, i + 1);

template <class E>
void check_made(const E& e) {
    const std::span<double> xs(reinterpret_cast<double*>(std::uintptr_t{1} << 52), 1000), ys(reinterpret_cast<double*>(std::uintptr_t{2} << 52), 1000);
    int* const numbers = reinterpret_cast<int*>(std::uintptr_t{3} << 52);
    const auto make = [&](const auto& what) { instantiate(what, x(xs), y(ys), i(numbers), j(numbers + 1), n(3)); };
    CHECK_NOTHROW(make(e));
    CHECK_NOTHROW(make(as_nodes(e)));
}

TEST_CASE("no kernel in the body of a loop follows itself", "[faults][bodies]") {
    constexpr auto all = [](auto body) {  // with all variables
        return seq(kernel<twice>(over(x))(x), kernel<twice>(over(y))(y), assign(i, 0), assign(j, n), repeat(n, body));
    };
    check_made(all(stored));
    check_made(all(seq(stored, next)));
    check_made(all(seq(next, stored, assign(j, i))));
    check_made(all(kernel<twice>(over(y))(y)));
    check_made(all(par(stored, kernel<twice>(over(y))(y))));
    check_made(all(par(stored, kernel<twice>(over(y))(y), next)));
    check_made(all(when(i > 1, kernel<twice>(over(y))(y))));
    check_made(all(seq(next, when(i > 1, kernel<twice>(over(y))(y)), when(i > 2, stored))));
    check_made(all(switch_on(i, kernel<twice>(over(y))(y), par(stored, kernel<twice>(over(y))(y)))));
    check_made(all(repeat(n, stored)));
    check_made(all(seq(assign(j, 0), loop_while(j < 0, seq(stored, assign(j, j + 1))), next)));
    check_made(all(seq(assign(j, 0), do_while(seq(stored, assign(j, j + 1)), j < 2))));
    check_made(loop_while(i < n, seq(stored, kernel<twice>(over(y))(y), next, assign(j, i)), check_every<3>));
}

TEST_CASE("graphs of unrolled loops are made of kernels that the program has", "[faults][bodies]") {
    expressions::unrolled::loops<3> memory;
    expressions::host_place place;
    const auto make = [](auto... b) { return instantiate(expressions::unrolled::loops<3>::expression(), b...); };
    CHECK_NOTHROW(expressions::with_bindings(memory, place, make));
}

TEST_CASE("the tests' runtime tells a loop whose body is one kernel from one of two", "[faults][bodies]") {
    const auto made = [](int kernels) {
        cudaGraph_t graph = nullptr;
        REQUIRE(cudaGraphCreate(&graph, 0) == cudaSuccess);
        cudaGraphConditionalHandle condition{};
        REQUIRE(cudaGraphConditionalHandleCreate(&condition, graph, 1, cudaGraphCondAssignDefault) == cudaSuccess);
        cudaGraphNode_t node = nullptr;
        cudaGraphNodeParams loop = graph_by_hand::conditional(cudaGraphCondTypeWhile, condition);
        REQUIRE(graph_by_hand::add_node(&node, graph, {}, loop) == cudaSuccess);
        std::vector<cudaGraphNode_t> before;
        for (int k = 0; k < kernels; ++k) {
            void* parameters[] = {&condition};
            cudaGraphNodeParams kernel = graph_by_hand::kernel(reinterpret_cast<const void*>(&decide), parameters);
            REQUIRE(graph_by_hand::add_node(&node, loop.conditional.phGraph_out[0], before, kernel) == cudaSuccess);
            before = {node};
        }
        cudaGraphExec_t exec = nullptr;
        cudaGraphInstantiateParams how{};
        const cudaError_t code = cudaGraphInstantiateWithParams(&exec, graph, &how);
        if (exec) CHECK(cudaGraphExecDestroy(exec) == cudaSuccess);
        CHECK(cudaGraphDestroy(graph) == cudaSuccess);
        cudaGetLastError();
        return code;
    };
    CHECK(made(1) == cudaErrorLaunchFailure);
    CHECK(made(2) == cudaSuccess);
}

// Loops and branches that kernels decide about.
constexpr auto more = decided_by<decide_later>(grid(1).block(32))(in(y), inout(j), conditional_handle);
constexpr auto work = kernel<twice>(over(x).cluster(2).priority(-1))(x);

TEST_CASE("a kernel that decides about a loop is another one than those of its body", "[faults][bodies]") {
    constexpr auto all = [](auto e) { return seq(kernel<twice>(over(x))(x), kernel<twice>(over(y))(y), assign(i, 0), assign(j, n), e); };
    check_made(all(loop_while(more, work)));
    check_made(all(do_while(work, more)));
    check_made(all(do_while(stored, more)));
    check_made(all(do_while(when(more, seq(work, next)), more)));
    check_made(all(loop_while(i < n, seq(when(more, work, otherwise(stored)), next))));
    check_made(all(do_while(loop_while(more, repeat(n, stored)), more)));
    check_made(all(do_while(par(next, kernel<twice>(over(x))(x)), decided_by<decide>(grid(1))(conditional_handle))));
}

TEST_CASE("where any call for a kernel that decides fails, it is told and nothing is left behind", "[faults][bodies]") {
    const device_memory::stream on;
    const std::span<double> xs(reinterpret_cast<double*>(std::uintptr_t{1} << 52), 1000), ys(reinterpret_cast<double*>(std::uintptr_t{2} << 52), 1000), fewer = xs.first(500);
    int* const number = reinterpret_cast<int*>(std::uintptr_t{3} << 52);
    constexpr auto e = seq(when(decided_by<decide_later>(over(x).cooperative())(in(y), inout(j), conditional_handle), work), do_while(seq(work, stored), more));
    const auto made = every_call::fail_every_call([&] {
        auto exec = instantiate(e, x(xs), y(ys), j(number));
        exec.launch(on);
        exec.update(x(fewer));
        exec.launch(on);
    });
    CHECK(every_call::holds(made, "cudaGraphConditionalHandleCreate"));
    const auto eager = every_call::fail_every_call([&] { run_on(on, loop_while(more, work), x(xs), y(ys), j(number)); });
    for (const char* const call : {"cudaGraphCreate", "cudaGraphConditionalHandleCreate", "cudaGraphInstantiateWithParams", "cudaGraphLaunch"}) CHECK(every_call::holds(eager, call));
    every_call::fail_every_call([&] {
        const struct memory_of_graph {
            ~memory_of_graph() { free_memory_of_graphs(); }
        } later;
        core::graph_owner graph;
        core::check(cudaGraphCreate(graph.put(), 0), "cudaGraphCreate", {"test", "here", 1});
        add_to(graph.get(), {}, e, x(xs), y(ys), j(number));
    });
}

}  // namespace bodies
