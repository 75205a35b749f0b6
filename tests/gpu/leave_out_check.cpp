// SPDX-License-Identifier: Apache-2.0
#include "../catch.hpp"
#include "../faults/fake_runtime.hpp"
#include "leave_out.hpp"

// leave_out.cpp on the runtime without a GPU, with both of its variables set: where a test ends, and that it passes.
namespace {

void must(cudaError_t code) { REQUIRE(code == cudaSuccess); }

cudaGraphNode_t add_node(cudaGraph_t graph, cudaGraphNodeParams params) {
    cudaGraphNode_t node = nullptr;
#if CUDART_VERSION >= 13000
    must(cudaGraphAddNode(&node, graph, nullptr, nullptr, 0, &params));
#else
    must(cudaGraphAddNode(&node, graph, nullptr, 0, &params));
#endif
    return node;
}

// A graph with an empty node, or with a WHILE node and an empty body.
struct made_graph {
    cudaGraph_t graph = nullptr;
    cudaGraphExec_t exec = nullptr;
    explicit made_graph(bool loops) {
        must(cudaGraphCreate(&graph, 0));
        cudaGraphNodeParams params{};
        params.type = loops ? cudaGraphNodeTypeConditional : cudaGraphNodeTypeEmpty;
        if (loops) {
            must(cudaGraphConditionalHandleCreate(&params.conditional.handle, graph, 1,
                                                  cudaGraphCondAssignDefault));
            params.conditional.type = cudaGraphCondTypeWhile;
            params.conditional.size = 1;
        }
        add_node(graph, params);
        must(cudaGraphInstantiate(&exec, graph, 0));
    }
    ~made_graph() {
        cudaGraphExecDestroy(exec);
        cudaGraphDestroy(graph);
    }
    made_graph(const made_graph&) = delete;
    made_graph& operator=(const made_graph&) = delete;
};

int reached = 0, sections = 0;

}  // namespace

// The runtime without a GPU has one way to instantiate.
extern "C" {
cudaError_t cudaGraphInstantiate(cudaGraphExec_t* exec, cudaGraph_t graph, unsigned long long flags) {
    cudaGraphInstantiateParams params{};
    params.flags = flags;
    return cudaGraphInstantiateWithParams(exec, graph, &params);
}
cudaError_t cudaGraphInstantiateWithFlags(cudaGraphExec_t* exec, cudaGraph_t graph,
                                          unsigned long long flags) {
    return cudaGraphInstantiate(exec, graph, flags);
}
}

TEST_CASE("a launch of a graph with conditional nodes ends its section, and no other") {
    const made_graph straight(false), loops(true);
    CHECK(leave_out::under_tool());
    CHECK(!leave_out::launch_of(straight.graph));
    CHECK(leave_out::launch_of(loops.graph));
    must(cudaGraphLaunch(straight.exec, nullptr));
    reached = 1;
    SECTION("launched") {
        ++sections;
        must(cudaGraphLaunch(loops.exec, nullptr));
        reached = 2;
    }
    SECTION("uploaded") {
        ++sections;
        must(cudaGraphUpload(loops.exec, nullptr));
        reached = 2;
    }
    SECTION("neither") { sections += 10; }
}
TEST_CASE("so it did") {
    CHECK(reached == 1);
    CHECK(sections == 12);
}

TEST_CASE("a launch into a stream that is captured goes through, to be refused") {
    const made_graph loops(true);
    fake_runtime::set_captured(true);
    cudaGraphLaunch(loops.exec, nullptr);
    fake_runtime::set_captured(false);
    reached = 3;
}
TEST_CASE("so it went") { CHECK(reached == 3); }

TEST_CASE("asking for free memory ends a test") {
    std::size_t free = 0, all = 0;
    must(cudaMemGetInfo(&free, &all));
    reached = 4;
}
TEST_CASE("so it does") { CHECK(reached == 3); }

TEST_CASE("a launch inside of an assertion makes it fail", "[!shouldfail]") {
    const made_graph loops(true);
    CHECK(cudaGraphLaunch(loops.exec, nullptr) == cudaSuccess);
}
