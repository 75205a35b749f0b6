// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cograph/expr/refused/algorithm/copy.hpp>
#include <cograph/expr/refused/formula/array_terms.hpp>
#include <cograph/expr/refused/scan/scan.hpp>

namespace cograph::core {

// Refused calls of copy_if.

struct copy_if_elements;
advises<struct write_copy_if_in_x_out_y_out_count_function> how_to_call(copy_if_elements*);

template <class... A>
constexpr auto diagnose_copy_if_call(list<A...>) {
    return wrong_arguments<copy_if_elements, A...>();
}
template <class X, class Y, class C, class F>
    requires are_scanned<X, Y>
constexpr auto diagnose_copy_if_call(list<in_t<X>, out_t<Y>, out_t<C>, F>) {
    if constexpr (!receives<C>)
        return result_is_no_scalar<C>{};
    else if constexpr (!std::is_integral_v<typename C::element>)
        return count_is_no_integer<C>{};
    else if constexpr (std::is_same_v<X, Y>)
        return scanned_in_place<X>{};
    else if constexpr (!is_fine<decltype(diagnose_copy_call(list<in_t<X>, out_t<Y>>{}))>)
        return diagnose_copy_call(list<in_t<X>, out_t<Y>>{});
    else
        return diagnose_element_test<F, X>();
}

template <class... A>
    requires of_variables<A...> && (!is_fine<decltype(diagnose_copy_if_call(list<A...>{}))>)
auto copy_if(A const&...) -> decltype(mistake_of<struct copy_if_node_call, A...>(diagnose_copy_if_call(list<A...>{})));
template <class... A>
auto copy_if(A const&...) -> mistake<arguments_are_not_those_of<struct copy_if_node_call, A...>, struct write_copy_if_in_x_out_y_out_count_function>;

}  // namespace cograph::core
