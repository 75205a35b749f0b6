// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "../catch.hpp"
#include "../device_memory.cuh"
#include "../device_place.cuh"
#include "../expressions/case.hpp"
#include "leave_out.hpp"
#include "run_lowered.cuh"

#include <cograph.cuh>

#include <cstddef>
#include <vector>

// What the GPU tests share: streams, memory, and a test expression run in every way.
namespace ways {

using device_memory::device_array;
using device_memory::device_place;
using device_memory::must;
using device_memory::stream;

inline std::size_t edges_of(cudaGraph_t graph) {
    std::size_t edges = 0;
#if CUDART_VERSION >= 13000
    must(cudaGraphGetEdges(graph, nullptr, nullptr, nullptr, &edges));
#else
    must(cudaGraphGetEdges(graph, nullptr, nullptr, &edges));
#endif
    return edges;
}
inline std::size_t nodes_of(cudaGraph_t graph) {
    std::size_t nodes = 0;
    must(cudaGraphGetNodes(graph, nullptr, &nodes));
    return nodes;
}
inline std::vector<cudaGraphNode_t> all_nodes_of(cudaGraph_t graph) {
    std::size_t count = nodes_of(graph);
    std::vector<cudaGraphNode_t> nodes(count);
    must(cudaGraphGetNodes(graph, nodes.data(), &count));
    return nodes;
}
// What the kernel nodes of a graph launch, without those in bodies.
inline std::vector<cudaKernelNodeParams> kernels_of(cudaGraph_t graph) {
    std::vector<cudaKernelNodeParams> kernels;
    for (const cudaGraphNode_t node : all_nodes_of(graph)) {
        cudaGraphNodeType type{};
        must(cudaGraphNodeGetType(node, &type));
        if (type == cudaGraphNodeTypeKernel) must(cudaGraphKernelNodeGetParams(node, &kernels.emplace_back()));
    }
    return kernels;
}

// The nodes and edges of an expression's plan, without those in bodies.
struct planned_size {
    std::size_t nodes = 0, edges = 0;
    bool operator==(const planned_size&) const = default;
};
template <class E>
planned_size size_outside_bodies(const E&) {
    const cograph::core::plan_view& plan = cograph::core::plan_of<typename E::self>::view;
    planned_size size;
    for (int r = plan.regions[0].first_node; r >= 0; r = plan.nodes[r].next) {
        ++size.nodes;
        size.edges += static_cast<std::size_t>(plan.nodes[r].edge_count);
    }
    return size;
}

using expressions::expression_of;
template <class Case>
inline constexpr auto as_nodes_of = cograph::as_nodes(expression_of<Case>);

// As a graph, launched twice from two streams, as the same with a node each, and eagerly, twice, also as it is lowered: all against
// plain C++, and that against simulation.
template <class Case>
void check_all_ways(const Case& start = {}) {
    Case once = start;
    once.compute();
    Case twice = once;
    twice.compute();
    Case simulated = start;
    using expressions::states_of;
    const expressions::loop_states loops = states_of(expressions::run_simulated(simulated));
    CHECK((simulated == once));
    const expressions::loop_states loops_again = states_of(expressions::run_simulated(simulated));
    const stream first, second;

    const auto check_graph = [&](auto instantiate) {
        Case here = start;
        device_place place;
        auto exec = expressions::with_bindings(here, place, instantiate);
        exec.launch(first);
        first.wait();
        place.bring_back();
        CHECK((here == once));
        CHECK(expressions::same_loops(states_of(exec.loops()), loops));
        exec.launch(second);
        second.wait();
        place.bring_back();
        CHECK((here == twice));
        CHECK(expressions::same_loops(states_of(exec.loops()), loops_again));
        return planned_size{nodes_of(exec.graph_ref()), edges_of(exec.graph_ref())};
    };
    SECTION("as a graph") {
        check_graph([](auto... b) { return cograph::instantiate(expression_of<Case>, b...); });
    }
    SECTION("as a graph, node by node") {
        const planned_size built = check_graph(
            [](auto... b) { return cograph::instantiate(as_nodes_of<Case>, b...); });
        // Scalars with an initial value have nodes in front of all others.
        if (!cograph::core::has_initial_scalars(expression_of<Case>.tree)) CHECK((built == size_outside_bodies(expression_of<Case>)));
    }
    SECTION("eagerly") {
        Case here = start;
        device_place place;
        const auto run = [&](cudaStream_t on) {
            return expressions::with_bindings(
                here, place, [&](auto... b) { return states_of(cograph::run_on(on, expression_of<Case>, b...)); });
        };
        const expressions::loop_states report = run(first);
        first.wait();
        place.bring_back();
        CHECK((here == once));
        CHECK(expressions::same_loops(report, loops));
    }
    const auto check_twice = [&](auto run) {
        Case here = start;
        device_place place;
        expressions::with_bindings(here, place, [&](auto... b) {
            run(b...);
            run(b...);
        });
        first.wait();
        place.bring_back();
        CHECK((here == twice));
    };
    SECTION("eagerly, twice") {
        check_twice([&](auto... b) { cograph::run_on(first, expression_of<Case>, b...); });
    }
    SECTION("eagerly, as it is lowered") {
        check_twice([&](auto... b) { run_lowered(first, expression_of<Case>, b...); });
    }
}

// As a graph alone, launched twice: of a batch, the ways to run differ only in what is around it.
template <class Case>
void check_graph(const Case& start) {
    Case expected = start, given = start;
    device_place place;
    const stream on;
    auto exec = expressions::with_bindings(given, place, [](auto... b) { return cograph::instantiate(expressions::expression_of<Case>, b...); });
    for (int run = 0; run < 2; ++run) {
        expected.compute();
        exec.launch(on);
        on.wait();
        place.bring_back();
        CHECK((given == expected));
    }
}

}  // namespace ways
