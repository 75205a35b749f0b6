// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cograph/host/refused/without_cuda.hpp>
#include <cograph/plan/refused/run.hpp>
#include <cograph/plan/refused/selector.hpp>
#include <cograph/run/memory/memory.cuh>

namespace cograph::core {

// Refused calls of profile, its times and write_table.

template <class E, class S>
constexpr bool has_time() {
    return plan_of<E>::view.nodes[select<E, S>().node].kind == plan_node_kind::work;
}
template <class Node>
constexpr auto no_time(word<Node>) {
    return has_no_time_of_its_own<Node>{};
}
template <class E, class S>
constexpr auto diagnose_time() {
    if constexpr (!selectable<E, S>)
        return diagnose_selectors<E>(S{});
    else if constexpr (!has_time<E, S>())
        return no_time(name_of(node_at<plan_of<E>::view.nodes[select<E, S>().node].leaf>(word<E>{})));
    else
        return fine{};
}

template <expression E, class... B>
    requires(!can_run<typename E::self, B...>)
auto profile(cudaStream_t, E const&, B...) -> decltype(mistake_of<struct profile_call, E, B...>(diagnose_run<typename E::self, B...>()));
template <class... A>
auto profile(any_stream, A const&...) -> mistake<arguments_are_not_those_of<struct profile_call, A...>, struct write_profile_stream_expression_bindings>;

template <class... A>
auto write_table(A const&...) -> mistake<arguments_are_not_those_of<struct write_table_call, A...>, struct write_write_table_stream_and_the_result_of_profile>;

}  // namespace cograph::core
