// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cograph/expr/refused/algorithm/library_calls.hpp>
#include <cograph/expr/refused/algorithm/transform_reduce.hpp>

namespace cograph::core {

// Refused calls of reduce.

struct reduce_elements;
advises<struct write_reduce_out_s_in_x> how_to_call(reduce_elements*);

template <class... A>
constexpr auto diagnose_reduce_call(list<A...>) {
    return wrong_arguments<reduce_elements, A...>();
}
template <class V, in_memory W>
constexpr auto diagnose_reduce_call(list<out_t<V>, in_t<W>>) {
    return diagnose_reduce<over_t<W>, element_at, plus, take_identity, out_t<V>, each_of<in_t<W>>>();
}
template <class V, in_memory W, class Op>
constexpr auto diagnose_reduce_call(list<out_t<V>, in_t<W>, Op>) {
    return diagnose_reduce<over_t<W>, element_at, Op, take_identity, out_t<V>, each_of<in_t<W>>>();
}
template <class V, in_memory W, class Op, class T>
constexpr auto diagnose_reduce_call(list<out_t<V>, in_t<W>, Op, T>) {
    return diagnose_reduce<over_t<W>, element_at, Op, T, out_t<V>, each_of<in_t<W>>>();
}

template <class... A>
    requires of_variables<A...> && (!is_fine<decltype(diagnose_reduce_call(list<A...>{}))>)
auto reduce(A const&...) -> decltype(mistake_of<struct reduce_node_call, A...>(diagnose_reduce_call(list<A...>{})));
template <class... A>
auto reduce(A const&...) -> mistake<arguments_are_not_those_of<reduce_elements, A...>, struct write_reduce_out_s_in_x>;

}  // namespace cograph::core
