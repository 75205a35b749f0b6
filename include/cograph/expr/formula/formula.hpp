// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cograph/expr/formula/arithmetic.hpp>
#include <cograph/expr/variable/argument.hpp>

namespace cograph::core {

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
        return as_number(pick<Offset>(values...));
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
// A part of a function object, without room where it is empty. A base, not a [[no_unique_address]] member: those lie at
// different offsets for nvcc's device compiler and for gcc.
template <int I, class T, bool Empty = is_empty_type<T>>
struct operand {
    T held;
    COGRAPH_HD constexpr T const& get() const { return held; }
};
template <int I, class T>
struct operand<I, T, true> {
    COGRAPH_HD constexpr T get() const { return {}; }
};

template <class Operation, class L, class R>
struct apply : operand<0, L>, operand<1, R> {
    static constexpr int arity = L::arity + R::arity;

    template <int Offset, class... A>
    COGRAPH_HD constexpr auto at(A const&... values) const {
        const auto left = [&] { return operand<0, L>::get().template at<Offset>(values...); };
        const auto right = [&] { return operand<1, R>::get().template at<Offset + L::arity>(values...); };
        if constexpr (std::is_same_v<Operation, operation::both>)
            return left() && right();
        else if constexpr (std::is_same_v<Operation, operation::either>)
            return left() || right();
        else
            return Operation::of(left(), right());
    }
};
template <class Operation, class L>
struct apply_unary : operand<0, L> {
    static constexpr int arity = L::arity;

    template <int Offset, class... A>
    COGRAPH_HD constexpr auto at(A const&... values) const {
        return Operation::of(operand<0, L>::get().template at<Offset>(values...));
    }
};

// The whole as a function object.
template <class F>
struct computed : operand<0, F> {
    template <class... A>
    COGRAPH_HD constexpr auto operator()(A const&... values) const {
        return operand<0, F>::get().template at<0>(values...);
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

template <int I, class T>
constexpr operand<I, T> as_operand(T const& value) {
    if constexpr (is_empty_type<T>)
        return {};
    else
        return {value};
}

// An extent is a variable of formulas, too.
template <class V>
concept formula_variable = is_extent<V> || (variable<V> && is_number<typename V::element> &&
                                            (V::kind == variable_kind::scalar || V::kind == variable_kind::value));

// In a formula over elements, the elements of a buffer or a temp.
template <class V>
concept array_variable = variable<V> && is_number<typename V::element> &&
                         (V::kind == variable_kind::buffer || V::kind == variable_kind::temp);

// What a formula is over: scalars and values alone, elements of arrays, or the results of passes over arrays.
enum class formulas : unsigned char { plain, of_elements, of_passes, mixed };

template <class V>
inline constexpr bool is_pass_result = requires { V::is_pass; };
template <class... V>
constexpr formulas formula_kind_of() {
    constexpr bool elements = (array_variable<V> || ...);
    constexpr bool passes = (is_pass_result<V> || ...);
    return elements && passes ? formulas::mixed : elements ? formulas::of_elements : passes ? formulas::of_passes : formulas::plain;
}

template <class F, class... V>
constexpr formula<F, V...> as_formula(formula<F, V...> f) {
    return f;
}
template <class V>
    requires formula_variable<V> || array_variable<V>
constexpr formula<placeholder, V> as_formula(V) {
    return {};
}
template <class T>
    requires is_number<T>
constexpr auto as_formula(T literal) {
    using number = decltype(as_number(literal));
    return formula<constant<number>>{{as_number(literal)}};
}

template <class T>
inline constexpr bool is_formula = formula_variable<T>;
template <class F, class... V>
inline constexpr bool is_formula<formula<F, V...>> = formula_kind_of<V...>() == formulas::plain;

template <class T>
concept formula_term = is_formula<T> || is_number<T>;

template <class T>
inline constexpr bool is_any_formula = formula_variable<T> || array_variable<T>;
template <class F, class... V>
inline constexpr bool is_any_formula<formula<F, V...>> = true;

template <class T>
concept formula_operand = is_any_formula<T> || is_number<T>;
template <class L, class R>
concept any_operands = formula_operand<L> && formula_operand<R> && (is_any_formula<L> || is_any_formula<R>);

// As in C++, a scoped enumeration is no number: it compares with its own kind, and that is all.
template <class T>
struct operand_type {
    using type = T;
};
template <variable V>
struct operand_type<V> {
    using type = typename V::element;
};
template <class T>
inline constexpr bool is_scoped_operand = is_scoped<typename operand_type<T>::type>;
template <class L, class R>
inline constexpr bool are_of_one_type = std::is_same_v<typename operand_type<L>::type, typename operand_type<R>::type>;
template <class L, class R>
concept formula_operands = any_operands<L, R> && !is_scoped_operand<L> && !is_scoped_operand<R>;
template <class L, class R>
concept compared_operands = any_operands<L, R> && ((!is_scoped_operand<L> && !is_scoped_operand<R>) || are_of_one_type<L, R>);
template <class L>
concept number_operand = is_any_formula<L> && !is_scoped_operand<L>;

// What %, &, |, ^, <<, >>, ~ and ceil_div take. Of a formula, the leaves come in order.
template <class Leaf>
constexpr bool gives_integer(const Leaf*, const bool*& leaf) {
    return *leaf++;
}
template <class T>
constexpr bool gives_integer(const constant<T>*, const bool*&) {
    return std::is_integral_v<T>;
}
template <class Operation, class L>
constexpr bool gives_integer(const apply_unary<Operation, L>*, const bool*& leaf) {
    const bool of_integer = gives_integer(static_cast<const L*>(nullptr), leaf);
    return std::is_same_v<Operation, operation::negation> || (of_integer && !std::is_same_v<Operation, operation::square_root>);
}
template <class Operation, class L, class R>
constexpr bool gives_integer(const apply<Operation, L, R>*, const bool*& leaf) {
    const bool left = gives_integer(static_cast<const L*>(nullptr), leaf);
    const bool right = gives_integer(static_cast<const R*>(nullptr), leaf);
    return (left && right) || __is_base_of(operation::comparison, Operation) || std::is_same_v<Operation, operation::both> ||
           std::is_same_v<Operation, operation::either>;
}
template <class T>
inline constexpr bool is_integer_operand =
    std::is_integral_v<typename operand_type<T>::type> || __is_enum(typename operand_type<T>::type) || is_extent<T>;
template <class F, class... V>
constexpr bool formula_gives_integer() {
    const bool leaves[] = {is_integer_operand<V>..., false};
    const bool* leaf = leaves;
    return gives_integer(static_cast<const F*>(nullptr), leaf);
}
template <class F, class... V>
inline constexpr bool is_integer_operand<formula<F, V...>> = formula_gives_integer<F, V...>();
template <class L, class R>
concept integer_operands = formula_operands<L, R> && is_integer_operand<L> && is_integer_operand<R>;
template <class L>
concept integer_operand = number_operand<L> && is_integer_operand<L>;

// A comparison has no order: 0 < i < 10 would ask whether a truth is less than 10.
template <class T>
inline constexpr bool is_comparison = false;
template <class Operation, class L, class R, class... V>
inline constexpr bool is_comparison<formula<apply<Operation, L, R>, V...>> = __is_base_of(operation::comparison, Operation);
template <class L, class R>
concept ordered_operands = compared_operands<L, R> && !is_comparison<L> && !is_comparison<R>;

template <class Operation, class L, class... V, class R, class... W>
constexpr formula<apply<Operation, L, R>, V..., W...> combine(formula<L, V...> l, formula<R, W...> r) {
    return {{as_operand<0>(l.function), as_operand<1>(r.function)}};
}
template <class Operation, class L, class... V>
constexpr formula<apply_unary<Operation, L>, V...> combine(formula<L, V...> l) {
    return {{as_operand<0>(l.function)}};
}

}  // namespace cograph::core
