// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cograph/join/captured_stream.cuh>
#include <cograph/join/refused/add_to.cuh>

#include <span>
#include <vector>

namespace cograph::core {

using nodes_before = std::span<const cudaGraphNode_t>;

// The part that does not depend on types.
inline std::vector<cudaGraphNode_t> add_nodes_to(cudaGraph_t graph, nodes_before dependencies, const graph_to_join& made) {
    const place what{"add_to"};
    const relaxed_capture_scope allowed;
    free_memory_of_graphs();
    driver_log log;
    joined_work work(made.joining().f, graph, dependencies.data(), dependencies.size(), nullptr, what, log);
    add_work(made.joining(), work, {nullptr, nullptr});
    std::vector<cudaGraphNode_t> last(work.last(), work.last() + work.last_count());
    work.stay();
    return last;
}

// Adds an expression to a graph of yours, or to a body of one of its conditional nodes, after some of its nodes;
// returns the nodes that later nodes must wait for. The graph owns the memory that this needs. Throws like
// instantiate; then the graph has no further nodes.
template <expression E, class... B>
std::vector<cudaGraphNode_t> add_to(cudaGraph_t graph, nodes_before dependencies, E const& e, memory_choice memory, B... bindings) {
    const relaxed_capture_scope allowed;
    return add_nodes_to(graph, dependencies, graph_to_join(executable<typename E::self>::template make<lowered<typename E::self>>(memory, false, e, bindings...)));
}
template <expression E, class... B>
std::vector<cudaGraphNode_t> add_to(cudaGraph_t graph, nodes_before dependencies, E const& e, B... bindings) {
    const relaxed_capture_scope allowed;
    return add_nodes_to(graph, dependencies, graph_to_join(executable<typename E::self>::template make<lowered<typename E::self>>({}, false, e, bindings...)));
}

// Adds an expression to the capture of a stream, in stream order, like a launch of an executable; none is made.
inline void add_to_capture(cudaStream_t stream, const graph_to_join& made) { join_capture(made.joining(), stream, {"add_to"}, {nullptr, nullptr}); }
inline void check_captured(cudaStream_t stream) {
    if (!is_captured(stream, {"add_to"})) throw error({"add_to"}, "is called with a stream that is not being captured: launch an executable there");
}
template <expression E, class... B>
void add_to(cudaStream_t stream, E const& e, memory_choice memory, B... bindings) {
    check_captured(stream);
    const relaxed_capture_scope allowed;
    add_to_capture(stream, graph_to_join(executable<typename E::self>::template make<lowered<typename E::self>>(memory, false, e, bindings...)));
}
template <expression E, class... B>
void add_to(cudaStream_t stream, E const& e, B... bindings) {
    check_captured(stream);
    const relaxed_capture_scope allowed;
    add_to_capture(stream, graph_to_join(executable<typename E::self>::template make<lowered<typename E::self>>({}, false, e, bindings...)));
}

}  // namespace cograph::core

namespace cograph {

using core::add_to;
using core::free_memory_of_graphs;

}  // namespace cograph
