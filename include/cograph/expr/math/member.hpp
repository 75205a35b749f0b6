// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cograph/expr/algorithm/assign.hpp>
#include <cograph/expr/refused/formula/member.hpp>

namespace cograph::core {

template <std::size_t I, class T>
COGRAPH_HD constexpr T const& struct_at(value_at<I, T> const& at) {
    return at.value;
}

// The part of a formula that reads it.
template <auto... M>
struct member_value {
    static constexpr int arity = 1;
    template <int Offset, class Values>
    COGRAPH_HD constexpr auto at(Values const& values) const {
        return as_number((struct_at<Offset>(values).*....*M));
    }
};
template <auto... M, class V>
struct formula_part<formula<operation::member_of<M...>, V>> {
    using function = member_value<M...>;
    using variables = list<V>;
    static constexpr formulas over = formula_part<V>::over;
    static constexpr bool is_integer = std::is_integral_v<member_type<V, M...>> || __is_enum(member_type<V, M...>);
};
template <auto... M, class V>
struct operand_type<formula<operation::member_of<M...>, V>> {
    using type = member_type<V, M...>;
};

// A number in a struct that is a scalar, a value or an element of an array: member<&state::step>(s), member<&state::control, &control::step>(s).
template <auto... M, class V>
    requires is_fine<decltype(diagnose_member<V, M...>())>
constexpr formula<operation::member_of<M...>, V> member(V) {
    return {};
}

// member = the formula's value
template <class F, auto... M>
struct store_member : operand<0, F> {
    template <class T, class... A>
    COGRAPH_HD constexpr void operator()(T& to, A const&... values) const {
        (to.*....*M) = static_cast<std::remove_reference_t<decltype((to.*....*M))>>(operand<0, F>::get()(values...));
    }
};
template <class S, auto... M, class F, class... V>
constexpr auto assign_member(computation<F, V...> c, record where) {
    return make_stage<assign_formula, assign_formula, grid_t::domain>(
        list<given<store_member<computed<F>, M...>>, reference_to<inout_t<S>>, formula_argument_t<V>...>{}, where,
        store_member<computed<F>, M...>{as_operand<0>(computed<F>{as_operand<0>(c.function)})}, 0, V{}...);
}

// One member of a scalar; the others stay as they are: assign(member<&state::step>(s), member<&state::step>(s) / 2).
template <auto... M, class S, class Formula>
    requires is_fine<decltype(diagnose_member_assign<S, Formula, M...>())>
constexpr auto assign(formula<operation::member_of<M...>, S>, Formula what, const char* file = __builtin_FILE(), unsigned line = __builtin_LINE()) {
    return assign_member<S, M...>(computation_of(what), {nullptr, file, line, grid(1).block(1).values});
}

}  // namespace cograph::core
