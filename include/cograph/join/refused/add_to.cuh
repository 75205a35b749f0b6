// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cograph.cuh>

#include <span>
#include <type_traits>

namespace cograph::core {

// Refused calls of add_to.

template <expression E, class... B>
    requires(!can_run<typename E::self, B...>)
auto add_to(cudaGraph_t, std::span<const cudaGraphNode_t>, E const&, B...) -> decltype(mistake_of<struct add_to_call, E, B...>(diagnose_run<typename E::self, B...>()));
template <expression E, class... B>
    requires(!can_run<typename E::self, B...>)
auto add_to(cudaGraph_t, std::span<const cudaGraphNode_t>, E const&, memory_choice, B...)
    -> decltype(mistake_of<struct add_to_call, E, B...>(diagnose_run<typename E::self, B...>()));
template <expression E, class... B>
    requires(!can_run<typename E::self, B...>)
auto add_to(cudaStream_t, E const&, B...) -> decltype(mistake_of<struct add_to_call, E, B...>(diagnose_run<typename E::self, B...>()));
template <expression E, class... B>
    requires(!can_run<typename E::self, B...>)
auto add_to(cudaStream_t, E const&, memory_choice, B...) -> decltype(mistake_of<struct add_to_call, E, B...>(diagnose_run<typename E::self, B...>()));
template <class... A>
inline constexpr bool goes_to_a_graph = false;
template <class Stream, expression E, class... B>
inline constexpr bool goes_to_a_graph<Stream, E, B...> = std::is_convertible_v<Stream, cudaStream_t>;
template <class Graph, class Nodes, expression E, class... B>
inline constexpr bool goes_to_a_graph<Graph, Nodes, E, B...> = std::is_convertible_v<Graph, cudaGraph_t> && std::is_convertible_v<Nodes, std::span<const cudaGraphNode_t>>;
template <class... A>
    requires(!goes_to_a_graph<A...>)
auto add_to(A const&...) -> mistake<arguments_are_not_those_of<struct add_to_call, A...>, struct write_add_to_graph_dependencies_expression_bindings>;

}  // namespace cograph::core
