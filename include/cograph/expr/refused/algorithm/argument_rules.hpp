// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cograph/expr/formula/host_value.hpp>
#include <cograph/expr/function/operations.hpp>
#include <cograph/expr/refused/algorithm/function_nodes.hpp>
#include <cograph/expr/refused/algorithm/library_calls.hpp>

namespace cograph::core {

// Refused calls of fill.

struct fill_elements;
advises<struct write_fill_out_x_value> how_to_call(fill_elements*);

// The values that fill can store in an Element: a literal, a value variable or a scalar.
template <class T, class Element>
inline constexpr bool fills = std::is_convertible_v<T, Element>;
template <variable T, class Element>
inline constexpr bool fills<T, Element> =
    (T::kind == variable_kind::value || T::kind == variable_kind::scalar) && std::is_convertible_v<typename T::element, Element>;

template <class... A>
constexpr auto diagnose_fill_call(list<A...>) {
    return wrong_arguments<fill_elements, A...>();
}
template <in_memory X, class T>
    requires fills<T, typename X::element>
constexpr auto diagnose_fill_call(list<out_t<X>, T>) {
    if constexpr (is_assigned<typename X::element>)
        return fine{};
    else
        return elements_cannot_be_assigned<typename X::element>{};
}
template <in_memory X, class Operation, class... T>
constexpr auto diagnose_fill_call(list<out_t<X>, formula<Operation, T...>>) {
    if constexpr (!is_host_formula<formula<Operation, T...>>)
        return given_formula(word<fill_elements>{}, word<given<formula<Operation, T...>>>{});
    else if constexpr (is_number_on_host<typename X::element>)
        return fine{};
    else
        return wrong_arguments<fill_elements, out_t<X>, formula<Operation, T...>>();
}

template <class... A>
    requires of_variables<A...> && (!is_fine<decltype(diagnose_fill_call(list<A...>{}))>)
auto fill(A const&...) -> decltype(mistake_of<struct fill_node_call, A...>(diagnose_fill_call(list<A...>{})));
template <class... A>
auto fill(A const&...) -> mistake<arguments_are_not_those_of<fill_elements, A...>, struct write_fill_out_x_value>;

}  // namespace cograph::core
