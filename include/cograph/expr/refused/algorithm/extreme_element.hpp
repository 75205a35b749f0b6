// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cograph/expr/function/found_element.hpp>
#include <cograph/expr/refused/algorithm/library_calls.hpp>
#include <cograph/expr/refused/algorithm/transform_reduce.hpp>

namespace cograph::core {

// Refused calls of max_element and min_element.

struct max_element_node;
struct min_element_node;
advises<struct write_max_element_out_best_in_x> how_to_call(max_element_node*);
advises<struct write_min_element_out_best_in_x> how_to_call(min_element_node*);

template <class Node, class... A>
constexpr auto diagnose_extreme_call(list<A...>) {
    return wrong_arguments<Node, A...>();
}
template <class Node, class V, class T>
constexpr auto diagnose_extreme(word<T>) {
    if constexpr (!receives<V>)
        return result_is_no_scalar<V>{};
    else if constexpr (!std::is_same_v<typename V::element, found_element<T>>)
        return result_is_no_found_element<V, found_element<T>>{};
    else if constexpr (!requires(T a, T b) { a < b ? true : false; })
        return operation_cannot_join<Node, T>{};
    else
        return fine{};
}
template <class Node, class V, in_memory X>
constexpr auto diagnose_extreme_call(list<out_t<V>, in_t<X>>) {
    return diagnose_extreme<Node, V>(element_word(word<X>{}));
}

template <class... A>
    requires of_variables<A...> && (!is_fine<decltype(diagnose_extreme_call<max_element_node>(list<A...>{}))>)
auto max_element(A const&...) -> decltype(mistake_of<struct max_element_call, A...>(diagnose_extreme_call<max_element_node>(list<A...>{})));
template <class... A>
    requires of_variables<A...> && (!is_fine<decltype(diagnose_extreme_call<min_element_node>(list<A...>{}))>)
auto min_element(A const&...) -> decltype(mistake_of<struct min_element_call, A...>(diagnose_extreme_call<min_element_node>(list<A...>{})));
template <class... A>
auto max_element(A const&...) -> mistake<arguments_are_not_those_of<struct max_element_call, A...>, struct write_max_element_out_best_in_x>;
template <class... A>
auto min_element(A const&...) -> mistake<arguments_are_not_those_of<struct min_element_call, A...>, struct write_min_element_out_best_in_x>;

}  // namespace cograph::core
