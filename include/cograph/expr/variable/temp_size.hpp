// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cograph/expr/formula/formula.hpp>
#include <cograph/expr/reasons/control_reasons.hpp>
#include <cograph/expr/variable/size_formula.hpp>

#include <utility>

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

template <int N, class... V, int M, class... W>
constexpr size_formula<N + M + 1, V..., W...> combine_sizes(size_step what, size_formula<N, V...> l, size_formula<M, W...> r) {
    size_formula<N + M + 1, V..., W...> both{};
    for (int i = 0; i < N; ++i) both.parts[i] = l.parts[i];
    for (int i = 0; i < M; ++i)
        both.parts[N + i] = {r.parts[i].what, r.parts[i].number + (r.parts[i].what == size_step::extent ? static_cast<int>(sizeof...(V)) : 0)};
    both.parts[N + M] = {what, 0};
    return both;
}

// The operations that can be parts of a size.
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
inline constexpr size_step step_of<operation::quotient_up> = size_step::quotient_up;
template <>
inline constexpr size_step step_of<operation::remainder> = size_step::remainder;
template <>
inline constexpr size_step step_of<operation::smaller> = size_step::smaller;
template <>
inline constexpr size_step step_of<operation::larger> = size_step::larger;

// What the host knows when a run is set up.
template <class V>
inline constexpr bool is_in_sizes = is_extent<V>;
template <variable V>
inline constexpr bool is_in_sizes<V> = V::kind == variable_kind::value && is_plain_integer<typename V::element>;

// The first part of a formula over V... that can be none of a size.
template <int First, class... V>
constexpr auto diagnose_size_part(word<placeholder>, list<V...>) {
    using variable = typename pick_type<First, V...>::type;
    if constexpr (is_in_sizes<variable>)
        return fine{};
    else
        return no_size_of<variable>{};
}
template <int, class T, class... V>
constexpr auto diagnose_size_part(word<constant<T>>, list<V...>) {
    if constexpr (is_plain_integer<T>)
        return fine{};
    else
        return no_size_of<T>{};
}
template <int, class F, class... V>
constexpr auto diagnose_size_part(word<F>, list<V...>) {
    return no_size_of<formula_over<V...>>{};
}
template <int First, class Operation, class L, class R, class... V>
    requires(step_of<Operation> != size_step::number)
constexpr auto diagnose_size_part(word<apply<Operation, L, R>>, list<V...> variables) {
    if constexpr (!is_fine<decltype(diagnose_size_part<First>(word<L>{}, variables))>)
        return diagnose_size_part<First>(word<L>{}, variables);
    else
        return diagnose_size_part<First + L::arity>(word<R>{}, variables);
}
template <class F, class... V>
constexpr auto diagnose_size_formula(word<formula<F, V...>>) {
    return diagnose_size_part<0>(word<F>{}, list<V...>{});
}
template <class T>
constexpr auto diagnose_temp_size() {
    if constexpr (std::is_arithmetic_v<T> || is_any_formula<T>)
        return diagnose_size_formula(word<decltype(as_formula(std::declval<T>()))>{});
    else
        return no_size_of<T>{};
}

template <class V>
word<V> counted_by(const extent_t<V>*);
template <variable V>
word<V> counted_by(const V*);
template <class V>
constexpr size_formula<1, V> size_of_variable(word<V>) {
    return {{{size_step::extent, 0}}};
}
template <int First, class... V>
constexpr auto size_part_of(placeholder, list<V...>) {
    return size_of_variable(decltype(counted_by(static_cast<const typename pick_type<First, V...>::type*>(nullptr))){});
}
template <int, class T, class... V>
constexpr size_formula<1> size_part_of(constant<T> number, list<V...>) {
    return {{{size_step::number, static_cast<std::int64_t>(number.held)}}};
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

template <class... V>
inline constexpr const variable_info* infos_of[sizeof...(V) + 1] = {&info_of<V>..., nullptr};
template <int Parts, class... V>
constexpr size_rule rule_for(const size_formula<Parts, V...>& size) {
    return {size.parts, Parts, infos_of<V...>, sizeof...(V), &compute_size};
}

// What is wrong with a size, or fine.
template <class Diagnosis>
struct checked_size {
    using type = decltype(mistake_of<checked_size>(Diagnosis{}));
};
template <>
struct checked_size<fine> {
    using type = fine;
};
template <auto Size>
using checked_size_t = typename checked_size<decltype(diagnose_temp_size<std::remove_cvref_t<decltype(Size)>>())>::type;

// The number of a temp's elements: temp<t, float, elements<2 * extent(x) + 1>>, a formula with + - * / %, ceil_div, min and max
// over extents, integers and integer values. Computed in 64 bits with a sign.
template <auto Size, class What = checked_size_t<Size>>
struct elements {
    static constexpr auto size = as_size(as_formula(Size));
    static constexpr size_rule rule = rule_for(size);
};
template <auto Size>
inline constexpr const size_rule* rule_of<elements<Size, fine>> = &elements<Size, fine>::rule;

}  // namespace cograph::core

template <auto Size, class Reason, class... More>
inline constexpr Reason cograph::reason::diagnose<cograph::core::elements<Size, cograph::mistake<Reason, More...>>>{};
