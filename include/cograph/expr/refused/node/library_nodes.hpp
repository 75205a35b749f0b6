// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cograph/expr/formula/formula.hpp>
#include <cograph/expr/node/library_stages.hpp>
#include <cograph/expr/refused/node/reductions.hpp>

namespace cograph::core {

// What reduce, dot, copy, fill and assign refuse.

// How they are called.
advises<struct write_reduce_out_s_in_x> how_to_call(reduce_elements*);
advises<struct write_dot_out_s_in_x_in_y> how_to_call(dot_product*);
advises<struct write_copy_in_x_out_y> how_to_call(copy_elements*);
advises<struct write_fill_out_x_value> how_to_call(fill_elements*);
advises<struct write_assign_s_formula_over_scalars_and_values> how_to_call(assign_formula*);

// Calls that are none of these are about variables or about something else of the same name.
template <class A>
inline constexpr bool is_of_variables = has_tag<A> || access_argument<A>;
template <class V>
inline constexpr bool is_of_variables<elements_of<V>> = true;
template <class... A>
concept of_variables = (is_of_variables<A> || ...);

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

template <class... A>
constexpr auto diagnose_dot_call(list<A...>) {
    return wrong_arguments<dot_product, A...>();
}
template <class V, in_memory X, in_memory Y>
constexpr auto diagnose_dot_call(list<out_t<V>, in_t<X>, in_t<Y>>) {
    return diagnose_reduce<over_t<X>, product_at<typename V::element>, plus, take_identity, out_t<V>, each_of<in_t<X>>, each_of<in_t<Y>>>();
}

template <class... A>
    requires of_variables<A...> && (!is_fine<decltype(diagnose_dot_call(list<A...>{}))>)
auto dot(A const&...) -> decltype(mistake_of<struct dot_node_call, A...>(diagnose_dot_call(list<A...>{})));
template <class... A>
auto dot(A const&...) -> mistake<arguments_are_not_those_of<dot_product, A...>, struct write_dot_out_s_in_x_in_y>;

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
    if constexpr (is_fine<decltype(diagnose_copied<X, Y>())>)
        return diagnose_element_call<copy_element, each_of<in_t<X>>, each_of<out_t<Y>>>();
    else
        return diagnose_copied<X, Y>();
}

template <class... A>
    requires of_variables<A...> && (!is_fine<decltype(diagnose_copy_call(list<A...>{}))>)
auto copy(A const&...) -> decltype(mistake_of<struct copy_node_call, A...>(diagnose_copy_call(list<A...>{})));
template <class... A>
auto copy(A const&...) -> mistake<arguments_are_not_those_of<copy_elements, A...>, struct write_copy_in_x_out_y>;

// What fill can give to an Element: a literal, a value variable or a scalar.
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
    return fine{};
}
template <in_memory X, class F, class... V>
constexpr auto diagnose_fill_call(list<out_t<X>, formula<F, V...>>) {
    return formula_is_no_argument<fill_elements, formula_over<V...>>{};
}

template <class... A>
    requires of_variables<A...> && (!is_fine<decltype(diagnose_fill_call(list<A...>{}))>)
auto fill(A const&...) -> decltype(mistake_of<struct fill_node_call, A...>(diagnose_fill_call(list<A...>{})));
template <class... A>
auto fill(A const&...) -> mistake<arguments_are_not_those_of<fill_elements, A...>, struct write_fill_out_x_value>;

template <class... A>
constexpr auto diagnose_assign_call(list<A...>) {
    return wrong_arguments<assign_formula, A...>();
}
// An enumeration takes its own kind, a number no scoped one.
template <class S, class Formula>
constexpr auto diagnose_assigned(word<Formula>) {
    if constexpr (__is_enum(typename S::element) ? are_of_one_type<S, Formula> : !is_scoped_operand<Formula>)
        return fine{};
    else
        return enumeration_is_no_number<S, Formula>{};
}
template <class S, class F, class... V>
constexpr auto diagnose_assigned(word<formula<F, V...>>) {
    if constexpr (__is_enum(typename S::element))
        return enumeration_is_no_number<S, formula_over<V...>>{};
    else
        return fine{};
}
template <receives S, formula_term Formula>
constexpr auto diagnose_assign_call(list<S, Formula>) {
    return diagnose_assigned<S>(word<Formula>{});
}
template <receives S, class Formula>
    requires(is_any_formula<Formula> && !formula_term<Formula>)
constexpr auto diagnose_assign_call(list<S, Formula>) {
    return assigned_formula_is_over_arrays<S>{};
}
template <class V, class T>
inline constexpr bool is_struct_of = std::is_class_v<T> && std::is_convertible_v<T, typename V::element>;
template <class V, variable T>
inline constexpr bool is_struct_of<V, T> = std::is_class_v<typename T::element> && std::is_convertible_v<typename T::element, typename V::element>;
template <receives S, class T>
    requires(!is_any_formula<T> && is_struct_of<S, T>)
constexpr auto diagnose_assign_call(list<S, T>) {
    return assigned_value_is_no_number<S>{};
}
template <has_tag V, class Formula>
    requires(!receives<V>)
constexpr auto diagnose_assign_call(list<V, Formula>) {
    if constexpr (misnamed<V>)
        return diagnose_tag<V>();
    else if constexpr (V::kind == variable_kind::value)
        return value_cannot_be_written<V>{};
    else
        return assigned_is_no_scalar<V>{};
}

template <class... A>
    requires of_variables<A...> && (!is_fine<decltype(diagnose_assign_call(list<A...>{}))>)
auto assign(A const&...) -> decltype(mistake_of<struct assign_node_call, A...>(diagnose_assign_call(list<A...>{})));
template <class... A>
auto assign(A const&...) -> mistake<arguments_are_not_those_of<assign_formula, A...>, struct write_assign_s_formula_over_scalars_and_values>;

}  // namespace cograph::core
