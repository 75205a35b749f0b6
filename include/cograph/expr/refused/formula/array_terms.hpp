// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cograph/expr/formula/formula.hpp>
#include <cograph/expr/reasons/control_reasons.hpp>
#include <cograph/expr/refused/formula/predicate.hpp>

namespace cograph::core {

// Refused calls of terms over arrays.

template <class F, class V, class... A>
constexpr auto diagnose_element_test() {
    if constexpr (misnamed<V>)
        return diagnose_tag<V>();
    else if constexpr (!in_elements<V>)
        return not_an_array<V>{};
    else if constexpr (!(is_for_the_device<as_argument_t<A>> && ...))
        return first_on_the_host<F, 2, as_argument_t<A>...>();
    else if constexpr (!callable_with<F, each_of<in_t<V>>, as_argument_t<A>...>)
        return call_fails<F, -1>(list<V, A...>{}, arrival(static_cast<const each_of<in_t<V>>*>(nullptr)),
                                 arrival(static_cast<const as_argument_t<A>*>(nullptr))...);
    else if constexpr (!requires(const F& f, typename V::element const& x, typename call_value<as_argument_t<A>>::type... a) {
                           f(x, static_cast<typename call_value<as_argument_t<A>>::type&&>(a)...) ? true : false;
                       })
        return element_test_is_not_bool<F, V>{};
    else
        return diagnose_passing<F, as_argument_t<A>...>();
}

template <class V, class F, class... A>
    requires(!is_fine<decltype(diagnose_element_test<F, V, A...>())>)
auto all_of(V, F, A...) -> decltype(mistake_of<struct all_of_call, V, F, A...>(diagnose_element_test<F, V, A...>()));
template <class V, class F, class... A>
    requires(!is_fine<decltype(diagnose_element_test<F, V, A...>())>)
auto any_of(V, F, A...) -> decltype(mistake_of<struct any_of_call, V, F, A...>(diagnose_element_test<F, V, A...>()));
template <class V, class F, class... A>
    requires(!is_fine<decltype(diagnose_element_test<F, V, A...>())>)
auto none_of(V, F, A...) -> decltype(mistake_of<struct none_of_call, V, F, A...>(diagnose_element_test<F, V, A...>()));
template <class V, class F, class... A>
    requires(!is_fine<decltype(diagnose_element_test<F, V, A...>())>)
auto count_if(V, F, A...) -> decltype(mistake_of<struct count_if_call, V, F, A...>(diagnose_element_test<F, V, A...>()));
template <class... A>
auto all_of(A const&...) -> mistake<arguments_are_not_those_of<struct all_of_call, A...>, struct write_all_of_variable_function_and_its_arguments>;
template <class... A>
auto any_of(A const&...) -> mistake<arguments_are_not_those_of<struct any_of_call, A...>, struct write_any_of_variable_function_and_its_arguments>;
template <class... A>
auto none_of(A const&...) -> mistake<arguments_are_not_those_of<struct none_of_call, A...>, struct write_none_of_variable_function_and_its_arguments>;
template <class... A>
auto count_if(A const&...) -> mistake<arguments_are_not_those_of<struct count_if_call, A...>, struct write_count_if_variable_function_and_its_arguments>;

template <class T>
inline constexpr bool is_size = std::is_arithmetic_v<T> && !std::is_same_v<T, bool>;
template <class V>
constexpr auto diagnose_size() {
    if constexpr (!in_elements<V>)
        return not_an_array<V>{};
    else if constexpr (!is_size<typename V::element>)
        return elements_are_no_numbers<V>{};
    else
        return fine{};
}

template <class V>
    requires variable<V> && (!is_fine<decltype(diagnose_size<V>())>)
auto max_abs(V) -> decltype(mistake_of<struct max_abs_call, V>(diagnose_size<V>()));
template <class F, class V>
constexpr auto diagnose_size_of() {
    if constexpr (!is_fine<decltype(diagnose_element_test<F, V>())> && !std::is_same_v<decltype(diagnose_element_test<F, V>()), element_test_is_not_bool<F, V>>)
        return diagnose_element_test<F, V>();
    else if constexpr (!is_size<std::remove_cvref_t<decltype(std::declval<const F&>()(std::declval<const typename V::element&>()))>>)
        return size_is_no_number<F, V>{};
    else
        return fine{};
}
template <class V, class F>
    requires variable<V> && (!is_fine<decltype(diagnose_size_of<F, V>())>)
auto max_abs(V, F) -> decltype(mistake_of<struct max_abs_of_call, V, F>(diagnose_size_of<F, V>()));
template <class... A>
auto max_abs(A const&...) -> mistake<arguments_are_not_those_of<struct max_abs_call, A...>, struct write_max_abs_of_a_buffer_or_temp>;

template <class F, class... V>
constexpr auto diagnose_elements_of(word<computation<F, V...>>) {
    if constexpr (((formula_part<V>::over | ... | formulas::plain)) != formulas::of_elements)
        return formula_has_no_elements<formula_over<V...>>{};
    else
        return diagnose_formula_size<sizeof...(V)>();
}
template <class T>
constexpr auto diagnose_element_formula() {
    if constexpr (is_any_formula<T>)
        return diagnose_elements_of(word<computation_t<T>>{});
    else
        return formula_has_no_elements<T>{};
}
template <class T>
    requires(!is_fine<decltype(diagnose_element_formula<T>())>)
auto all(T) -> decltype(mistake_of<struct all_call, T>(diagnose_element_formula<T>()));
template <class T>
    requires(!is_fine<decltype(diagnose_element_formula<T>())>)
auto any(T) -> decltype(mistake_of<struct any_call, T>(diagnose_element_formula<T>()));
template <class T>
    requires(!is_fine<decltype(diagnose_element_formula<T>())>)
auto none(T) -> decltype(mistake_of<struct none_call, T>(diagnose_element_formula<T>()));

}  // namespace cograph::core
