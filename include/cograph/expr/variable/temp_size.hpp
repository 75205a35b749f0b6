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

template <class F>
inline constexpr int size_parts = 1;
template <class Operation, class L, class R>
inline constexpr int size_parts<apply<Operation, L, R>> = size_parts<L> + size_parts<R> + 1;

struct size_writer {
    size_part* next;
    int variable = 0;

    constexpr void add(placeholder) { *next++ = {size_step::extent, variable++}; }
    template <class T>
    constexpr void add(constant<T> number) {
        *next++ = {size_step::number, static_cast<std::int64_t>(number.held)};
    }
    template <class Operation, class L, class R>
    constexpr void add(apply<Operation, L, R> const& both) {
        add(both.operand<0, L>::get());
        add(both.operand<1, R>::get());
        *next++ = {step_of<Operation>, 0};
    }
};

template <class V>
word<V> counted_by(const extent_t<V>*);
template <variable V>
word<V> counted_by(const V*);
template <class F, class... V>
constexpr auto write_size(F const& f, word<V>...) {
    size_formula<size_parts<F>, V...> size{};
    size_writer{size.parts}.add(f);
    return size;
}
template <class F, class... V>
constexpr auto as_size(computation<F, V...> c) {
    return write_size(c.function, decltype(counted_by(static_cast<const V*>(nullptr))){}...);
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
    static constexpr auto size = as_size(computation_of(Size));
    static constexpr size_rule rule = rule_for(size);
};
template <auto Size>
inline constexpr const size_rule* rule_of<elements<Size, fine>> = &elements<Size, fine>::rule;

}  // namespace cograph::core

template <auto Size, class Reason, class... More>
inline constexpr Reason cograph::reason::diagnose<cograph::core::elements<Size, cograph::mistake<Reason, More...>>>{};
