// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cograph/expr/function/operations.hpp>
#include <cograph/expr/refused/algorithm/copy.hpp>

namespace cograph::core {

// Refused calls of swap.

struct swap_elements;
advises<struct write_swap_x_y> how_to_call(swap_elements*);
struct swap_element {
    template <class T>
    COGRAPH_HD constexpr void operator()(index_t, T& x, T& y) const {
        const T of_x = x;
        x = y;
        y = of_x;
    }
};

template <class X, class Y>
constexpr auto diagnose_swap() {
    if constexpr (!in_memory<X> || !in_memory<Y>)
        return wrong_arguments<swap_elements, X, Y>();
    else if constexpr (X::kind == variable_kind::scalar)
        return has_no_elements<X>{};
    else if constexpr (Y::kind == variable_kind::scalar)
        return has_no_elements<Y>{};
    else if constexpr (std::is_same_v<X, Y>)
        return swapped_with_itself<X>{};
    else if constexpr (!is_fine<decltype(diagnose_copied<X, Y>())>)
        return diagnose_copied<X, Y>();
    else if constexpr (!is_assigned<typename X::element>)
        return elements_cannot_be_assigned<typename X::element>{};
    else
        return diagnose_element_call<swap_element, each_of<inout_t<X>>, each_of<inout_t<Y>>>();
}

template <class X, class Y>
    requires of_variables<X, Y> && (!is_fine<decltype(diagnose_swap<X, Y>())>)
auto swap(X const&, Y const&) -> decltype(mistake_of<struct swap_node_call, X, Y>(diagnose_swap<X, Y>()));
template <class... A>
    requires of_variables<A...> && (sizeof...(A) != 2)
auto swap(A const&...) -> mistake<arguments_are_not_those_of<swap_elements, A...>, struct write_swap_x_y>;

}  // namespace cograph::core
