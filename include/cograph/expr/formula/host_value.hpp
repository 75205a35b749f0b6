// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cograph/expr/core/kept_values.hpp>
#include <cograph/expr/formula/checked.hpp>
#include <cograph/expr/formula/formula.hpp>
#include <cograph/expr/node/kernel_arguments.hpp>

#include <cstring>

namespace cograph::core {

// A formula as an argument of a node: if it is over extents and value variables alone, the host computes it when a
// run is bound.

template <class V>
struct host_number {
    using type = typename V::element;
};
template <class V>
struct host_number<extent_t<V>> {
    using type = index_t;
};
template <class V>
using host_number_t = typename host_number<V>::type;

template <class V>
inline constexpr bool is_known_to_the_host = V::kind == variable_kind::value && sizeof(typename V::element) <= most_number_bytes;
template <class V>
inline constexpr bool is_known_to_the_host<extent_t<V>> = true;

// The result type of a computation.
template <class F, class... V>
using result_on_host = decltype(std::declval<const computed<F>&>()(std::declval<const host_number_t<V>&>()...));

// A number that a run keeps.
template <class P>
inline constexpr bool is_number_on_host = std::is_arithmetic_v<P> && sizeof(P) <= most_number_bytes;
template <>
inline constexpr bool is_number_on_host<void> = false;

// Whether the host can compute such a formula, and the number fits into its slot in a run.
template <class F, class... V>
constexpr bool can_be_computed(list<V...>) {
    if constexpr ((is_known_to_the_host<V> && ...))
        return sizeof(result_on_host<F, V...>) <= most_number_bytes;
    else
        return false;
}
template <class T>
inline constexpr bool is_host_formula = false;
template <class Operation, class... T>
    requires is_formula<formula<Operation, T...>>
inline constexpr bool is_host_formula<formula<Operation, T...>> =
    can_be_computed<typename formula_part<formula<Operation, T...>>::function>(typename formula_part<formula<Operation, T...>>::variables{});

template <class P, class F, class... V>
const char* compute_on_host(const void* (*read)(const void* run, const variable_info&), const void* run, const void* kept, void* to, char* text);

// The variable that a formula is over, or whose extent.
template <class V>
inline constexpr const variable_info* info_behind = &info_of<typename V::tag>;
template <class V>
inline constexpr const variable_info* info_behind<extent_t<V>> = &info_of<typename V::tag>;

// The number that F computes of V..., as a P.
template <class P, class F, class... V>
struct host_value : operand<0, F> {
    using parameter = P;
    static constexpr const variable_info* variables[] = {info_behind<V>...};
    static constexpr value_rule rule{variables, sizeof...(V), !is_empty_type<F>, &compute_on_host<P, F, V...>};
    static constexpr argument describe{.form = argument_form::computed, .value = &rule};

    template <class Operation, class... T>
    constexpr explicit host_value(formula<Operation, T...> const& of) : operand<0, F>{as_operand<0>(function_of(of))} {}
};
template <class P, class F, class... V>
    requires(!is_empty_type<F>)
struct kept_part<host_value<P, F, V...>> {
    using type = host_value<P, F, V...>;
};

template <class P, class F, class... V>
const char* compute_on_host(const void* (*read)(const void* run, const variable_info&), const void* run, const void* kept, void* to, char* text) {
    const numbered_values<std::index_sequence_for<V...>, host_number_t<V>...> values{
        {*static_cast<const host_number_t<V>*>(read(run, *info_behind<V>))}...};
    F function{};
    if constexpr (!is_empty_type<F>) function = static_cast<const host_value<P, F, V...>*>(kept)->get();
    checked_computation checked;
    const auto number = checked.template value<0>(function, values);
    if (checked.fault) return checked.fault;
    if (!holds<P>(number)) return refuse_as<P>(text, number);
    const P given = static_cast<P>(number);
    std::memcpy(to, &given, sizeof given);
    return nullptr;
}

// As a P if that is a number, and as its own type otherwise.
template <class P, class F, class... V>
host_value<choose<is_number_on_host<P>, P, result_on_host<F, V...>>, F, V...> host_value_of(list<V...>);
template <class P, class Formula>
using host_value_t = decltype(host_value_of<P, typename formula_part<Formula>::function>(typename formula_part<Formula>::variables{}));

template <class Operation, class... T>
    requires is_host_formula<formula<Operation, T...>>
struct as_argument<formula<Operation, T...>> {
    using type = host_value_t<void, formula<Operation, T...>>;
};
template <class P, class F, class... V>
struct as_argument<host_value<P, F, V...>> {
    using type = host_value<P, F, V...>;
};

// To a kernel.
template <class P, class Operation, class... T>
    requires is_host_formula<formula<Operation, T...>>
struct fit<P, formula<Operation, T...>> {
    using type = host_value_t<std::remove_cv_t<P>, formula<Operation, T...>>;
    static constexpr fitness result = is_number_on_host<std::remove_cv_t<P>> ? fitness::fits : fitness::differs;
};

// To a function object, as the type of its parameter if that is known.
template <class Operation, class... T>
    requires is_host_formula<formula<Operation, T...>>
inline constexpr narrowing narrowing_of<formula<Operation, T...>> = narrowing::formula;

template <class P>
constexpr word<std::remove_cvref_t<P>> bare_word(word<P>) {
    return {};
}
template <std::size_t Position, class... P>
constexpr auto parameter_word(list<P...> parameters) {
    if constexpr (Position < sizeof...(P))
        return bare_word(word_at<Position>(parameters));
    else
        return word<void>{};
}
template <class P, class Formula>
constexpr host_value_t<P, Formula> as_number_of(word<P>, Formula const& of) {
    return host_value_t<P, Formula>(of);
}
template <class F, int Position, class Operation, class... T>
    requires is_host_formula<formula<Operation, T...>>
constexpr auto as_taken(formula<Operation, T...> const& of) {
    return as_number_of(parameter_word<Position>(known_parameters<F>()), of);
}

}  // namespace cograph::core
