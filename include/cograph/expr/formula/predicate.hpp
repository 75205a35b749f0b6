// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cograph/expr/core/kept_values.hpp>
#include <cograph/expr/core/naming.hpp>
#include <cograph/expr/formula/formula.hpp>
#include <cograph/expr/refused/function/calls.hpp>
#include <cograph/expr/reasons/control_reasons.hpp>

namespace cograph::core {

// What decides a branch or a loop: a function object and its arguments.
template <class... A>
struct condition {
    using kept_type = kept_pieces<kept_part_t<A>...>;
    [[no_unique_address]] kept_type kept;
};

template <class F, class A>
constexpr auto only_reads(word<A>) {
    return predicate_only_reads<F, A>{};
}
template <class F, class... A>
constexpr auto diagnose_test() {
    constexpr int writing = first_true<writes(A::describe.access)...>();
    if constexpr (writing < static_cast<int>(sizeof...(A)))
        return only_reads<F>(word_at<writing>(list<A...>{}));
    else
        return diagnose_one_call<F, -1, A...>();
}

template <class F>
struct predicate_builder {
    F function;

    template <class... A>
        requires is_fine<decltype(diagnose_test<F, as_argument_t<A>...>())>
    constexpr auto operator()(A... arguments) const {
        if constexpr (takes_small_extents<F, 0, A...>)
            return with_small_extents<F, 0>(*this, arguments...);
        else
            return condition<given<F>, as_argument_t<A>...>{keep_pieces(keep_part<given<F>>(function), keep_part<as_argument_t<A>>(arguments)...)};
    }
    template <class... A>
        requires(!is_fine<decltype(diagnose_test<F, as_argument_t<A>...>())>)
    auto operator()(A...) const -> decltype(mistake_of<struct predicate_call, F, A...>(diagnose_test<F, as_argument_t<A>...>()));
    template <class... A>
    auto operator()(A...) const -> mistake<arguments_are_not_those_of<F, A...>, struct pass_variables_and_values>;
};

// What a user may have meant as a predicate, or put into its place.
template <class P>
constexpr not_a_predicate<P> why_no_predicate(const P*) {
    return {};
}
template <class N>
constexpr auto no_predicate(word<N>) {
    return expression_in_place_of_a_predicate<N>{};
}
template <expression E>
constexpr auto why_no_predicate(const E* e) {
    return no_predicate(first_name(e));
}
template <class F>
constexpr arguments_are_missing<F> why_no_predicate(const predicate_builder<F>*) {
    return {};
}
template <class F, class... V>
formula_has_a_value_for_each_element<V...> why_no_predicate(const formula<F, V...>*);
template <array_variable V>
formula_has_a_value_for_each_element<V> why_no_predicate(const V*);

// A device function as a predicate: predicate(f)(in(x), in(n), 3). One thread calls f with pointers to buffers, references to
// scalars and values by value; f gives bool or an integer.
template <class F>
constexpr predicate_builder<F> predicate(F function) {
    return {function};
}
template <class... A>
auto predicate(A const&...) -> mistake<arguments_are_not_those_of<struct predicate_call, A...>, struct write_predicate_function_and_then_the_arguments>;

// A formula where elements are counted.
template <class F, class... V>
does_not_count_elements<formula_over<V...>> why_no_count(const formula<F, V...>*);

// And a predicate in the place of an expression.
template <class F, class... V>
predicate_in_place_of_an_expression<formula_over<V...>> why_no_expression(const formula<F, V...>*);
template <class F, class... A>
predicate_in_place_of_an_expression<F> why_no_expression(const condition<given<F>, A...>*);
template <class F>
predicate_in_place_of_an_expression<F> why_no_expression(const predicate_builder<F>*);

template <class... A>
constexpr condition<A...> as_predicate(condition<A...> p) {
    return p;
}
template <class F, class... V>
    requires is_formula<formula<F, V...>>
constexpr condition<given<computed<F>>, formula_argument_t<V>...> as_predicate(formula<F, V...> f) {
    return {keep_pieces(keep_part<given<computed<F>>>(computed<F>{as_operand<0>(f.function)}), keep_part<formula_argument_t<V>>(V{})...)};
}
template <formula_variable V>
constexpr auto as_predicate(V v) {
    return as_predicate(as_formula(v));
}

template <class P>
concept predicate_like = requires(P p) { as_predicate(p); };

// How a predicate is named: by its function object; a formula by its variables.
template <class F, class... A>
word<F> predicate_word(const condition<given<F>, A...>*);
template <class... V>
word<formula_over<V...>> formula_word(word<V>...);
template <class F, class... A>
auto predicate_word(const condition<given<computed<F>>, A...>*) -> decltype(formula_word(variable_of(static_cast<const A*>(nullptr))...));

// What its function gives.
template <class F, class... A>
auto predicate_result(const condition<given<F>, A...>*) -> word<decltype(std::declval<const F&>()(std::declval<typename call_value<A>::type>()...))>;

template <bool Selects, class P, class R>
constexpr auto result_is_wrong(word<P>, word<R>) {
    if constexpr (Selects)
        return selector_is_not_an_integer<P, R>{};
    else
        return predicate_is_neither_bool_nor_integer<P, R>{};
}
template <bool Selects, class P, class R>
constexpr auto diagnose_result(const P* p, word<R> result) {
    if constexpr (std::is_integral_v<R>)
        return fine{};
    else
        return result_is_wrong<Selects>(decltype(predicate_word(p)){}, result);
}

// The condition that P is.
template <predicate_like P>
inline constexpr decltype(as_predicate(std::declval<P>()))* condition_of = nullptr;

// Whether P decides a branch or a loop, or, where it selects, one of several cases.
template <bool Selects, class P>
constexpr auto diagnose_condition() {
    if constexpr (predicate_like<P> && !Selects && is_scoped_operand<P>)
        return result_is_wrong<false>(decltype(predicate_word(condition_of<P>)){}, element_word(word<P>{}));
    else if constexpr (predicate_like<P>)
        return diagnose_result<Selects>(condition_of<P>, decltype(predicate_result(condition_of<P>)){});
    else
        return why_no_predicate(static_cast<const P*>(nullptr));
}

}  // namespace cograph::core
