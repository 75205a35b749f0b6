// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cograph/expr/formula/computation.hpp>

#include <utility>

namespace cograph {

// What a function gives to several reductions at once: return terms{a, b}.
template <class... T>
struct terms;
template <class T>
struct terms<T> {
    T first;
    COGRAPH_HD constexpr explicit terms(T value) : first(value) {}
    bool operator==(const terms&) const = default;
};
template <class T, class Next, class... More>
struct terms<T, Next, More...> {
    T first;
    terms<Next, More...> others;
    COGRAPH_HD constexpr terms(T value, Next next, More... more) : first(value), others(next, more...) {}
    bool operator==(const terms&) const = default;
};
template <class... T>
terms(T...) -> terms<T...>;

}  // namespace cograph

namespace cograph::core {

template <int I, class... T>
COGRAPH_HD constexpr auto const& term_of(terms<T...> const& all) {
    if constexpr (I == 0)
        return all.first;
    else
        return term_of<I - 1>(all.others);
}

// An operation for each of several terms.
template <class Numbers, class... Op>
struct joined_operations;
template <int... I, class... Op>
struct joined_operations<std::integer_sequence<int, I...>, Op...> : operand<I, Op>... {
    static constexpr int count = sizeof...(Op);

    template <class... T>
    COGRAPH_HD constexpr terms<T...> operator()(terms<T...> const& a, terms<T...> const& b) const {
        return terms<T...>(static_cast<T>(this->operand<I, Op>::get()(term_of<I>(a), term_of<I>(b)))...);
    }
};
template <class Numbers, class... Op>
struct operations_maker;
template <int... I, class... Op>
struct operations_maker<std::integer_sequence<int, I...>, Op...> {
    static constexpr joined_operations<std::integer_sequence<int, I...>, Op...> make(Op const&... op) { return {as_operand<I>(op)...}; }
};
template <class... Op>
    requires(sizeof...(Op) > 0)
constexpr auto operations(Op... op) {
    return operations_maker<std::make_integer_sequence<int, sizeof...(Op)>, Op...>::make(op...);
}

// F, whose terms are converted to those of the results.
template <class F, class... T>
struct converted_terms : operand<0, F> {
    template <class... A>
    COGRAPH_HD terms<T...> operator()(index_t i, A&&... arguments) const {
        return convert(operand<0, F>::get()(i, static_cast<A&&>(arguments)...), std::make_integer_sequence<int, sizeof...(T)>{});
    }

private:
    template <class Given, int... I>
    COGRAPH_HD static terms<T...> convert(Given const& given, std::integer_sequence<int, I...>) {
        return terms<T...>(static_cast<T>(term_of<I>(given))...);
    }
};
}  // namespace cograph::core
