// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cograph/expr/access.hpp>
#include <cograph/expr/arithmetic.hpp>

namespace cograph {

// A formula over scalars and values, without their names: F computes it from the variables' values in order of appearance,
// so that kernels are instantiated on positions and operations alone.
template <class F, class... Variables>
struct formula {
    F function;
};

template <int I, class First, class... Rest>
COGRAPH_HD constexpr auto pick(First const& first, Rest const&... rest) {
    if constexpr (I == 0)
        return first;
    else
        return pick<I - 1>(rest...);
}

// The leaves and inner nodes of F; `Offset` is the position of the first argument that belongs to the subtree.
struct placeholder {
    static constexpr int arity = 1;
    template <int Offset, class... A>
    COGRAPH_HD constexpr auto at(A const&... values) const {
        return pick<Offset>(values...);
    }
};
template <class T>
struct constant {
    static constexpr int arity = 0;
    T held;
    template <int, class... A>
    COGRAPH_HD constexpr T at(A const&...) const {
        return held;
    }
};
template <class Operation, class L, class R>
struct apply {
    static constexpr int arity = L::arity + R::arity;
    [[no_unique_address]] L left;
    [[no_unique_address]] R right;

    template <int Offset, class... A>
    COGRAPH_HD constexpr auto at(A const&... values) const {
        if constexpr (std::is_same_v<Operation, operation::both>)
            return left.template at<Offset>(values...) && right.template at<Offset + L::arity>(values...);
        else if constexpr (std::is_same_v<Operation, operation::either>)
            return left.template at<Offset>(values...) || right.template at<Offset + L::arity>(values...);
        else
            return Operation::of(left.template at<Offset>(values...), right.template at<Offset + L::arity>(values...));
    }
};
template <class Operation, class L>
struct apply_unary {
    static constexpr int arity = L::arity;
    [[no_unique_address]] L operand;

    template <int Offset, class... A>
    COGRAPH_HD constexpr auto at(A const&... values) const {
        return Operation::of(operand.template at<Offset>(values...));
    }
};

// The whole as a function object.
template <class F>
struct computed {
    [[no_unique_address]] F root;
    template <class... A>
    COGRAPH_HD constexpr auto operator()(A const&... values) const {
        return root.template at<0>(values...);
    }
};

template <class V>
concept formula_variable = variable<V> && std::is_arithmetic_v<typename V::element> &&
                           (V::kind == variable_kind::scalar || V::kind == variable_kind::value ||
                            V::kind == variable_kind::temp);

template <class F, class... V>
constexpr formula<F, V...> as_formula(formula<F, V...> f) {
    return f;
}
template <formula_variable V>
constexpr formula<placeholder, V> as_formula(V) {
    return {};
}
template <class T>
    requires std::is_arithmetic_v<T>
constexpr formula<constant<T>> as_formula(T literal) {
    return {{literal}};
}

template <class T>
inline constexpr bool is_formula = formula_variable<T>;
template <class F, class... V>
inline constexpr bool is_formula<formula<F, V...>> = true;

template <class T>
concept formula_term = is_formula<T> || std::is_arithmetic_v<T>;

template <class L, class R>
concept formula_operands = formula_term<L> && formula_term<R> && (is_formula<L> || is_formula<R>);

template <class Operation, class L, class... V, class R, class... W>
constexpr formula<apply<Operation, L, R>, V..., W...> combine(formula<L, V...> l, formula<R, W...> r) {
    return {{l.function, r.function}};
}
template <class Operation, class L, class... V>
constexpr formula<apply_unary<Operation, L>, V...> combine(formula<L, V...> l) {
    return {{l.function}};
}

}  // namespace cograph
