// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cograph/expr/function/operations.hpp>
#include <cograph/expr/refused/algorithm/function_nodes.hpp>
#include <cograph/expr/refused/algorithm/library_calls.hpp>

namespace cograph::core {

// Refused calls of copy.

struct copy_elements;
advises<struct write_copy_in_x_out_y> how_to_call(copy_elements*);

template <class... A>
constexpr auto diagnose_copy_call(list<A...>) {
    return wrong_arguments<copy_elements, A...>();
}
template <class X, class Y>
constexpr auto diagnose_copied() {
    if constexpr (std::is_same_v<typename X::element, typename Y::element>)
        return fine{};
    else
        return copied_elements_differ<X, Y>{};
}
template <in_memory X, in_memory Y>
constexpr auto diagnose_copy_call(list<in_t<X>, out_t<Y>>) {
    if constexpr (is_fine<decltype(diagnose_copied<X, Y>())> && !is_assigned<typename Y::element>)
        return elements_cannot_be_assigned<typename Y::element>{};
    else if constexpr (is_fine<decltype(diagnose_copied<X, Y>())>)
        return diagnose_element_call<copy_element, each_of<in_t<X>>, each_of<out_t<Y>>>();
    else
        return diagnose_copied<X, Y>();
}

template <class... A>
    requires of_variables<A...> && (!is_fine<decltype(diagnose_copy_call(list<A...>{}))>)
auto copy(A const&...) -> decltype(mistake_of<struct copy_node_call, A...>(diagnose_copy_call(list<A...>{})));
template <class... A>
auto copy(A const&...) -> mistake<arguments_are_not_those_of<copy_elements, A...>, struct write_copy_in_x_out_y>;

}  // namespace cograph::core
