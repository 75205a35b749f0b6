// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cograph/expr/refused/variable/temp_size.hpp>
#include <cograph/expr/variable/size_formula.hpp>

#include <utility>

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
