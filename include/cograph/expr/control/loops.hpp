// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cograph/expr/control/control.hpp>

namespace cograph::core {

// A loop, with what its loop options say.
template <class Rule, int Every, class Limit>
struct loop_rule {
    using type = rule_with_options<Rule, Every, Limit>;
};
template <class Rule, int Every>
struct loop_rule<Rule, Every, void> {
    using type = rule_with_options<Rule, Every>;
};
template <class Rule>
struct loop_rule<Rule, 1, void> {
    using type = Rule;
};
template <class Rule, class... A, class Body, class First, class Second>
constexpr auto make_loop(const char* file, unsigned line, condition<A...> p, Body const& body, First first, Second second) {
    using said = loop_options<First, Second>;
    record where{nullptr, file, line, {}};
    where.shape.count = said::limit_of(first, second);
    return make_control<typename loop_rule<Rule, said::every, typename said::limit>::type>(where, p, body);
}

// The variables of a predicate, each once.
template <class... V>
constexpr auto variables_of(list<>, list<V...>) {
    return predicate_never_changes<V...>{};
}
template <class A, class... Rest, class... V>
constexpr auto variables_of(list<A, Rest...>, list<V...> known) {
    if constexpr (access_argument<A>)
        return add_variable(decltype(variable_of(static_cast<const A*>(nullptr))){}, list<Rest...>{}, known);
    else
        return variables_of(list<Rest...>{}, known);
}
template <class W, class... Rest, class... V>
constexpr auto add_variable(word<W>, list<Rest...> rest, list<V...> known) {
    if constexpr ((std::is_same_v<V, W> || ...))
        return variables_of(rest, known);
    else
        return variables_of(rest, list<V..., W>{});
}

// Whether a loop can end.
template <class Body, class... A>
constexpr auto diagnose_progress(const condition<A...>*) {
    if constexpr (can_change(arguments_of<A...>, sizeof...(A), Body::tree))
        return fine{};
    else
        return variables_of(list<A...>{}, list<>{});
}

template <class Loop, class Body>
constexpr auto diagnose_body() {
    if constexpr (!expression<Body>)
        return why_no_expression(static_cast<const Body*>(nullptr));
    else if constexpr (Body::leaves == 0)
        return loop_body_is_empty<Loop>{};
    else
        return diagnose_in_bodies<Body>();
}
template <class P, class First>
constexpr auto why_no_condition() {
    if constexpr (expression<P> && !is_loop_option<First>)  // do_while(a, b, predicate)
        return without_seq(first_name(static_cast<const P*>(nullptr)));
    else
        return diagnose_condition<false, P>();
}
template <class Loop, class P, class Body, class First, class Second>
constexpr auto diagnose_loop() {
    if constexpr (!is_fine<decltype(diagnose_condition<false, P>())>)
        return why_no_condition<P, First>();
    else if constexpr (!is_fine<decltype(diagnose_body<Loop, Body>())>)
        return diagnose_body<Loop, Body>();
    else if constexpr (!is_fine<decltype(diagnose_loop_options<Loop, true, First, Second>())>)
        return diagnose_loop_options<Loop, true, First, Second>();
    else
        return diagnose_progress<Body>(condition_of<P>);
}

// The body again and again while the predicate holds; tested first, so the body may run zero times. Behind the body may
// stand at_most(n) and check_every<k>.
template <class P, class Body, class First = no_loop_option, class Second = no_loop_option>
    requires is_fine<decltype(diagnose_loop<while_loop, P, Body, First, Second>())>
constexpr auto loop_while(P p, Body const& body, First first = {}, Second second = {}, const char* file = __builtin_FILE(),
                          unsigned line = __builtin_LINE()) {
    return make_loop<while_loop>(file, line, as_predicate(p), body, first, second);
}
template <class P, class Body, class First = no_loop_option, class Second = no_loop_option>
    requires(!is_fine<decltype(diagnose_loop<while_loop, P, Body, First, Second>())>)
auto loop_while(P, Body const&, First = {}, Second = {}) -> decltype(mistake_of<struct loop_while_call, P, Body, First, Second>(diagnose_loop<while_loop, P, Body, First, Second>()));
template <class P, class Body, expression Second, class... More>
    requires(sizeof...(More) > 1)
auto loop_while(P, Body const&, Second const& second, More const&...) -> decltype(mistake_of<struct loop_while_call, P, Body, Second, More...>(without_seq(first_name(&second))));
template <class... A>
auto loop_while(A const&...) -> mistake<arguments_are_not_those_of<struct loop_while_call, A...>, struct write_loop_while_predicate_body>;

// The body once, and again while the predicate holds; with the same loop options.
template <class Body, class P, class First = no_loop_option, class Second = no_loop_option>
    requires is_fine<decltype(diagnose_loop<do_loop, P, Body, First, Second>())>
constexpr auto do_while(Body const& body, P p, First first = {}, Second second = {}, const char* file = __builtin_FILE(),
                        unsigned line = __builtin_LINE()) {
    return make_loop<do_loop>(file, line, as_predicate(p), body, first, second);
}
template <class Body, class P, class First = no_loop_option, class Second = no_loop_option>
    requires(!is_fine<decltype(diagnose_loop<do_loop, P, Body, First, Second>())>)
auto do_while(Body const&, P, First = {}, Second = {}) -> decltype(mistake_of<struct do_while_call, P, Body, First, Second>(diagnose_loop<do_loop, P, Body, First, Second>()));
template <class Body, expression Second, class... More>
    requires(sizeof...(More) > 2)
auto do_while(Body const&, Second const& second, More const&...) -> decltype(mistake_of<struct do_while_call, Body, Second, More...>(without_seq(first_name(&second))));
template <class... A>
auto do_while(A const&...) -> mistake<arguments_are_not_those_of<struct do_while_call, A...>, struct write_do_while_body_predicate>;

// How often: a number, a variable, an extent or a formula.
template <class N>
constexpr auto as_iteration_count(N n) {
    if constexpr (std::is_integral_v<N>)
        return condition<given<N>>{keep_pieces(keep_part<given<N>>(n))};
    else if constexpr (formula_variable<N>)
        return condition<formula_argument_t<N>>{};
    else
        return as_predicate(n);
}

template <class N>
constexpr auto diagnose_iteration_count(word<N>) {
    if constexpr (std::is_integral_v<N> || is_extent<N> ||
                  requires { requires formula_variable<N> && std::is_integral_v<typename N::element>; })
        return fine{};
    else
        return iteration_count_is_not_an_integer<N>{};
}
template <class P, class R>
constexpr auto diagnose_computed_count(word<P>, word<R>) {
    if constexpr (std::is_integral_v<R>)
        return fine{};
    else
        return iteration_count_is_not_an_integer<P>{};
}
template <class F, class... V>
constexpr auto diagnose_iteration_count(word<formula<F, V...>>) {
    using P = formula<F, V...>;
    if constexpr (predicate_like<P>)
        return diagnose_computed_count(operand_word(word<P>{}), decltype(predicate_result(condition_of<P>)){});
    else
        return why_no_predicate(static_cast<const P*>(nullptr));
}

template <class N>
constexpr auto swapped_count(word<N>) {
    return iteration_count_and_body_are_swapped<N>{};
}
template <class N, class Body, class Limit>
constexpr auto diagnose_repeat() {
    if constexpr (expression<N>)
        return swapped_count(first_name(static_cast<const N*>(nullptr)));
    else if constexpr (!is_fine<decltype(diagnose_body<counted_loop, Body>())>)
        return diagnose_body<counted_loop, Body>();
    else if constexpr (!is_fine<decltype(diagnose_iteration_count(word<N>{}))>)
        return diagnose_iteration_count(word<N>{});
    else
        return diagnose_loop_options<counted_loop, false, Limit, no_loop_option>();
}
template <index_t N, class Body, class Limit>
constexpr auto diagnose_repeat() {
    if constexpr (N < 0)
        return repeats_a_negative_number_of_times<N>{};
    else
        return diagnose_repeat<index_t, Body, Limit>();
}

// The body n times, not at all when n <= 0; n is an integer or an integer formula, computed again before each pass.
// Behind the body may stand at_most(n).
template <class N, class Body, class Limit = no_loop_option>
    requires is_fine<decltype(diagnose_repeat<N, Body, Limit>())>
constexpr auto repeat(N n, Body const& body, Limit limit = {}, const char* file = __builtin_FILE(), unsigned line = __builtin_LINE()) {
    return make_loop<counted_loop>(file, line, as_iteration_count(n), body, limit, no_loop_option{});
}
template <class N, class Body, class Limit = no_loop_option>
    requires(!is_fine<decltype(diagnose_repeat<N, Body, Limit>())>)
auto repeat(N, Body const&, Limit = {}) -> decltype(mistake_of<struct repeat_call, N, Body, Limit>(diagnose_repeat<N, Body, Limit>()));
template <class N, class Body, expression Second, class... More>
    requires(sizeof...(More) > 0)
auto repeat(N, Body const&, Second const& second, More const&...) -> decltype(mistake_of<struct repeat_call, N, Body, Second, More...>(without_seq(first_name(&second))));
template <class... A>
auto repeat(A const&...) -> mistake<arguments_are_not_those_of<struct repeat_call, A...>, struct write_repeat_iteration_count_body>;

// The same for a number that the compiler knows and checks: repeat<10>(body).
template <index_t N, class Body, class Limit = no_loop_option>
    requires is_fine<decltype(diagnose_repeat<N, Body, Limit>())>
constexpr auto repeat(Body const& body, Limit limit = {}, const char* file = __builtin_FILE(), unsigned line = __builtin_LINE()) {
    return repeat(N, body, limit, file, line);
}
template <index_t N, class Body, class Limit = no_loop_option>
    requires(!is_fine<decltype(diagnose_repeat<N, Body, Limit>())>)
auto repeat(Body const&, Limit = {}) -> decltype(mistake_of<struct repeat_call, repeats_a_negative_number_of_times<N>, Body, Limit>(diagnose_repeat<N, Body, Limit>()));
template <index_t N, class Body, expression Second, class... More>
    requires(sizeof...(More) > 0)
auto repeat(Body const&, Second const& second, More const&...) -> decltype(mistake_of<struct repeat_call, Body, Second, More...>(without_seq(first_name(&second))));
template <index_t N, class... A>
auto repeat(A const&...) -> mistake<arguments_are_not_those_of<struct repeat_call, A...>, struct write_repeat_iteration_count_body>;

}  // namespace cograph::core
