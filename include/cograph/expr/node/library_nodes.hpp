// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cograph/expr/formula/formula.hpp>
#include <cograph/expr/node/reductions.hpp>
#include <cograph/expr/refused/node/library_nodes.hpp>

namespace cograph::core {

// out = op over the elements of x.
template <class V, class W, class Op = plus, class T = take_identity>
    requires is_fine<decltype(diagnose_reduce_call(list<out_t<V>, in_t<W>, Op, T>{}))>
constexpr auto reduce(out_t<V> result, in_t<W>, Op op = {}, T identity = {}, const char* file = __builtin_FILE(),
                      unsigned line = __builtin_LINE()) {
    return reduce_builder<reduce_elements, over_t<W>, element_at, Op, T>{{nullptr, file, line, {}}, {}, op, identity}(result, each_of<in_t<W>>{});
}

// out = the sum of x[i] * y[i]; x and y must be of one length.
template <class V, class X, class Y>
    requires is_fine<decltype(diagnose_dot_call(list<out_t<V>, in_t<X>, in_t<Y>>{}))>
constexpr auto dot(out_t<V> result, in_t<X>, in_t<Y>, const char* file = __builtin_FILE(), unsigned line = __builtin_LINE()) {
    return reduce_builder<dot_product, over_t<X>, product_at<typename V::element>, plus, take_identity>{{nullptr, file, line, {}}, {}, {}, {}}(
        result, each_of<in_t<X>>{}, each_of<in_t<Y>>{});
}

// copy(in(from), out(to)): to = from, element by element; both must be of one length.
template <in_memory X, in_memory Y>
    requires is_fine<decltype(diagnose_copy_call(list<in_t<X>, out_t<Y>>{}))>
constexpr auto copy(in_t<X>, out_t<Y>, const char* file = __builtin_FILE(), unsigned line = __builtin_LINE()) {
    return element_stage<copy_elements, copy_element, over_t<X>, copy_element>{{nullptr, file, line, {}}, {}}(
        each_of<in_t<X>>{}, each_of<out_t<Y>>{});
}

// fill(out(x), value): x = value in every element; value is a literal, a value variable or a scalar.
template <class X, class T>
    requires is_fine<decltype(diagnose_fill_call(list<out_t<X>, T>{}))>
constexpr auto fill(out_t<X>, T with, const char* file = __builtin_FILE(), unsigned line = __builtin_LINE()) {
    if constexpr (variable<T>)
        return element_stage<fill_elements, fill_element, over_t<X>, fill_element>{{nullptr, file, line, {}}, {}}(
            each_of<out_t<X>>{}, in(with));
    else
        return element_stage<fill_elements, fill_element, over_t<X>, fill_element>{{nullptr, file, line, {}}, {}}(
            each_of<out_t<X>>{}, static_cast<typename X::element>(with));
}

template <class S, class F, class... V>
constexpr auto assign_computed(formula<F, V...> f, record where) {
    return make_stage<assign_formula, assign_formula, grid_t::domain>(
        list<given<store<computed<F>>>, reference_to<out_t<S>>, formula_argument_t<V>...>{}, where,
        store<computed<F>>{as_operand<0>(computed<F>{as_operand<0>(f.function)})}, 0, V{}...);
}

// s = formula, in one thread: assign(alpha, rr / pAp).
template <class S, class Formula>
    requires is_fine<decltype(diagnose_assign_call(list<S, Formula>{}))>
constexpr auto assign(S, Formula what, const char* file = __builtin_FILE(), unsigned line = __builtin_LINE()) {
    return assign_computed<S>(as_formula(what), {nullptr, file, line, grid(1).block(1).values});
}

}  // namespace cograph::core
