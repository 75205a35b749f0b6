// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cograph/expr/formula.hpp>
#include <cograph/expr/size.hpp>

namespace cograph::reason {

template <class Given>
struct no_size_of : advises<struct write_sizes_over_extents_integers_and_integer_values> {};

}  // namespace cograph::reason

namespace cograph::core {

// A size as the declaration of a temp says it: elements<2 * extent(x) + 1>. The formula over the extents of V...
template <int Parts, class... V>
struct size_formula {
    size_part parts[Parts];
};

// One part of a formula over one variable, or none.
template <class... V>
constexpr size_formula<1, V...> size_of_part(size_step what, std::int64_t number) {
    return {{{what, number}}};
}
template <int N, class... V, int M, class... W>
constexpr size_formula<N + M + 1, V..., W...> combine_sizes(size_step what, size_formula<N, V...> l, size_formula<M, W...> r) {
    size_formula<N + M + 1, V..., W...> both{};
    for (int i = 0; i < N; ++i) both.parts[i] = l.parts[i];
    for (int i = 0; i < M; ++i)
        both.parts[N + i] = {r.parts[i].what, r.parts[i].number + (r.parts[i].what == size_step::extent ? static_cast<int>(sizeof...(V)) : 0)};
    both.parts[N + M] = {what, 0};
    return both;
}

// Values are combined as formulas of predicates before an extent joins them; these operations can be parts of a size.
template <class Operation>
inline constexpr size_step step_of = size_step::number;  // none
template <>
inline constexpr size_step step_of<operation::sum> = size_step::sum;
template <>
inline constexpr size_step step_of<operation::difference> = size_step::difference;
template <>
inline constexpr size_step step_of<operation::product> = size_step::product;
template <>
inline constexpr size_step step_of<operation::quotient> = size_step::quotient;
template <>
inline constexpr size_step step_of<operation::remainder> = size_step::remainder;

template <class T>
inline constexpr bool is_size_part = false;
template <>
inline constexpr bool is_size_part<placeholder> = true;
template <class T>
inline constexpr bool is_size_part<constant<T>> = is_plain_integer<T>;
template <class Operation, class L, class R>
inline constexpr bool is_size_part<apply<Operation, L, R>> = step_of<Operation> != size_step::number && is_size_part<L> && is_size_part<R>;

template <class V>
concept integer_value_variable = variable<V> && V::kind == variable_kind::value && is_plain_integer<typename V::element>;

// What has an extent in it, and what can be a size.
template <class T>
inline constexpr bool is_extent = false;
template <class V>
inline constexpr bool is_extent<extent_t<V>> = true;
template <int Parts, class... V>
inline constexpr bool is_extent<size_formula<Parts, V...>> = true;
template <class T>
inline constexpr bool is_size = is_extent<T> || is_plain_integer<T> || integer_value_variable<T>;
template <class F, class... V>
inline constexpr bool is_size<formula<F, V...>> = is_size_part<F> && (integer_value_variable<V> && ...);

template <int Parts, class... V>
constexpr size_formula<Parts, V...> as_size(size_formula<Parts, V...> size) {
    return size;
}
template <class V>
constexpr auto as_size(extent_t<V>) {
    return size_of_part<typename V::tag>(size_step::extent, 0);
}
template <integer_value_variable V>
constexpr auto as_size(V) {
    return size_of_part<typename V::tag>(size_step::extent, 0);
}
template <class T>
    requires is_plain_integer<T>
constexpr auto as_size(T number) {
    return size_of_part<>(size_step::number, std::int64_t{number});
}
template <int First, class... V>
constexpr auto size_part_of(placeholder, list<V...>) {
    return size_of_part<typename pick_type<First, V...>::type::tag>(size_step::extent, 0);
}
template <int, class T, class... V>
constexpr auto size_part_of(constant<T> number, list<V...>) {
    return as_size(number.held);
}
template <int First, class Operation, class L, class R, class... V>
constexpr auto size_part_of(apply<Operation, L, R> const& both, list<V...> variables) {
    const operand<0, L>& left = both;
    const operand<1, R>& right = both;
    return combine_sizes(step_of<Operation>, size_part_of<First>(left.get(), variables), size_part_of<First + L::arity>(right.get(), variables));
}
template <class F, class... V>
constexpr auto as_size(formula<F, V...> f) {
    return size_part_of<0>(f.function, list<V...>{});
}

template <class T>
constexpr auto diagnose_temp_size() {
    if constexpr (is_size<T>)
        return fine{};
    else
        return no_size_of<T>{};
}
// The first of two that is no size.
template <class L, class R>
constexpr auto diagnose_temp_sizes() {
    if constexpr (is_size<L>)
        return diagnose_temp_size<R>();
    else
        return diagnose_temp_size<L>();
}

template <class... V>
inline constexpr const variable_info* infos_of[sizeof...(V) + 1] = {&info_of<V>..., nullptr};
template <int Parts, class... V>
constexpr size_rule rule_for(const size_formula<Parts, V...>& size) {
    return {size.parts, Parts, infos_of<V...>, sizeof...(V), &compute_size};
}

template <class Diagnosis, auto Size>
struct checked_elements {
    decltype(mistake_of<checked_elements>(Diagnosis{})) wrong;
    static constexpr size_rule rule{};
};
template <auto Size>
struct checked_elements<fine, Size> {
    static constexpr auto size = as_size(Size);
    static constexpr size_rule rule = rule_for(size);
};

// The number of a temp's elements: temp<t, float, elements<2 * extent(x) + 1>>, with + - * / %, ceil_div, min and max of
// extents, integers and integer values. Computed in 64 bits with a sign.
template <auto Size>
struct elements : checked_elements<decltype(diagnose_temp_size<std::remove_cvref_t<decltype(Size)>>()), Size> {};
template <auto Size>
inline constexpr const size_rule* rule_of<elements<Size>> = &elements<Size>::rule;

}  // namespace cograph::core
