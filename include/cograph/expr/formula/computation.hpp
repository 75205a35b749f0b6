// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cograph/expr/formula/arithmetic.hpp>
#include <cograph/expr/function/closure_kind.hpp>

#include <utility>

namespace cograph::core {

// A formula apart from its variables: F computes it from their values in order of appearance, so that kernels are instantiated
// on positions and operations alone.
template <class F, class... Variables>
struct computation {
    F function;
};

// The values, each found by its position.
template <std::size_t I, class T>
struct value_at {
    T const& value;
};
template <class Positions, class... T>
struct numbered_values;
template <std::size_t... I, class... T>
struct numbered_values<std::index_sequence<I...>, T...> : value_at<I, T>... {};
template <std::size_t I, class T>
COGRAPH_HD constexpr auto number_at(value_at<I, T> const& at) {
    return as_number(at.value);
}

// The leaves and inner nodes of F; `Offset` is the position of the first value that belongs to the subtree.
struct placeholder {
    static constexpr int arity = 1;
    template <int Offset, class Values>
    COGRAPH_HD constexpr auto at(Values const& values) const {
        return number_at<Offset>(values);
    }
};
template <class T>
struct constant {
    static constexpr int arity = 0;
    T held;
    template <int, class Values>
    COGRAPH_HD constexpr T at(Values const&) const {
        return held;
    }
};
// A part of a function object that takes no space if it is empty. A base, not a [[no_unique_address]] member: those
// lie at different offsets for nvcc's device compiler and for gcc.
template <int I, class T, bool Empty = is_empty_type<T>>
struct operand {
    T held;
    COGRAPH_HD constexpr T const& get() const { return held; }
};
template <int I, class T>
struct operand<I, T, true> {
    COGRAPH_HD constexpr T get() const { return {}; }
};
template <int I, class T>
constexpr operand<I, T> as_operand(T const& value) {
    if constexpr (is_empty_type<T>)
        return {};
    else
        return {value};
}

template <class Operation, class L, class R>
struct apply : operand<0, L>, operand<1, R> {
    static constexpr int arity = L::arity + R::arity;

    template <int Offset, class Values>
    COGRAPH_HD constexpr auto at(Values const& values) const {
        constexpr int next = Offset + L::arity;
        if constexpr (std::is_same_v<Operation, operation::both>)
            return operand<0, L>::get().template at<Offset>(values) && operand<1, R>::get().template at<next>(values);
        else if constexpr (std::is_same_v<Operation, operation::either>)
            return operand<0, L>::get().template at<Offset>(values) || operand<1, R>::get().template at<next>(values);
        else
            return Operation::of(operand<0, L>::get().template at<Offset>(values), operand<1, R>::get().template at<next>(values));
    }
};
template <class Operation, class L>
struct apply_unary : operand<0, L> {
    static constexpr int arity = L::arity;

    template <int Offset, class Values>
    COGRAPH_HD constexpr auto at(Values const& values) const {
        return Operation::of(operand<0, L>::get().template at<Offset>(values));
    }
};

// The whole as a function object.
template <class F>
struct computed : operand<0, F> {
    template <class... A>
    COGRAPH_HD constexpr auto operator()(A const&... values) const {
        return operand<0, F>::get().template at<0>(numbered_values<std::index_sequence_for<A...>, A...>{{values}...});
    }
};

// to = the formula's value
template <class F>
struct store : operand<0, F> {
    template <class T, class... A>
    COGRAPH_HD constexpr void operator()(T& to, A const&... values) const {
        to = static_cast<T>(operand<0, F>::get()(values...));
    }
};

}  // namespace cograph::core
