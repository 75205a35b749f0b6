// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cograph/expr/formula/computation.hpp>
#include <cograph/expr/formula/condition_code.hpp>
#include <cograph/expr/math/math_operations.hpp>
#include <cograph/host/host_code.hpp>
#include <cograph/host/replay/element_order.hpp>

namespace cograph::core {

// NaN that the formula of a condition computes from numbers, as 0 / 0 does, and does not ask for.

template <class T>
constexpr bool is_nan_value(T const& value) {
    if constexpr (std::is_floating_point_v<T>)
        return is_nan(value);
    else
        return false;
}
template <class A, class B>
constexpr bool is_nan_value(factor_pair<A, B> const& factors) {
    return is_nan_value(factors.first) || is_nan_value(factors.second);
}

template <int Offset, class Leaf, class Values>
bool computes_nan(Leaf const&, Values const&) {
    return false;
}
template <int Offset, class Operation, class L, class Values>
bool computes_nan(apply_unary<Operation, L> const& f, Values const& values) {
    if constexpr (std::is_same_v<Operation, operation::is_no_number> || std::is_same_v<Operation, operation::is_finite_number>) return false;
    const auto& left = f.template operand<0, L>::get();
    return computes_nan<Offset>(left, values) || (is_nan_value(f.template at<Offset>(values)) && !is_nan_value(left.template at<Offset>(values)));
}
template <int Offset, class Operation, class L, class R, class Values>
bool computes_nan(apply<Operation, L, R> const& f, Values const& values) {
    const auto& left = f.template operand<0, L>::get();
    const auto& right = f.template operand<1, R>::get();
    constexpr int behind = Offset + L::arity;
    if (computes_nan<Offset>(left, values)) return true;
    // The left side may decide that the right side is not computed.
    if constexpr (std::is_same_v<Operation, operation::both>) {
        return left.template at<Offset>(values) && computes_nan<behind>(right, values);
    } else if constexpr (std::is_same_v<Operation, operation::either>) {
        return !left.template at<Offset>(values) && computes_nan<behind>(right, values);
    } else {
        return computes_nan<behind>(right, values) ||
               (is_nan_value(f.template at<Offset>(values)) && !is_nan_value(left.template at<Offset>(values)) &&
                !is_nan_value(right.template at<behind>(values)));
    }
}

// Among the parameters of a condition: its formula, followed by the formula's arguments.
inline bool predicate_computes_nan() { return false; }
template <class F, class... V>
bool formula_computes_nan(computed<F> const& f, V const&... values) {
    return computes_nan<0>(f.template operand<0, F>::get(), numbered_values<std::index_sequence_for<V...>, V...>{{values}...});
}
template <class P, class... Rest>
bool predicate_computes_nan(P const&, Rest const&... rest) {
    return predicate_computes_nan(rest...);
}
template <class F, class... Rest>
bool predicate_computes_nan(computed<F> const& f, Rest const&... rest) {
    return formula_computes_nan(f, unwrap(rest)...);
}
template <class F, class... Rest>
bool predicate_computes_nan(made_on_use<computed<F>> const& f, Rest const&... rest) {
    return formula_computes_nan(unwrap(f), unwrap(rest)...);
}

template <class Condition, class... P>
struct host_code<condition_code<Condition, P...>, checking_context> {
    static std::int64_t run(const void* context, const void* const* parameters) {
        return [&]<std::size_t... I>(std::index_sequence<I...>) {
            static_cast<const checking_context*>(context)->now->computes_nan = predicate_computes_nan(host_parameter<P>(parameters[I])...);
            return static_cast<std::int64_t>(Condition::of(host_parameter<P>(parameters[I])...));
        }(std::index_sequence_for<P...>{});
    }
};

}  // namespace cograph::core
