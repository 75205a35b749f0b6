// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cograph/expr/control/control_rules.hpp>
#include <cograph/expr/refused/control/loop_rules.hpp>

namespace cograph::core {

// Refused calls of loop_while, do_while and repeat.

template <class P, class Body, class First>
constexpr auto why_no_condition() {
    if constexpr (is_loop_option<Body>)  // do_while(at_most(3), a, predicate)
        return loop_option_is_not_last{};
    else if constexpr (expression<P> && !is_loop_option<First>)  // do_while(a, b, predicate)
        return without_seq(first_name(static_cast<const P*>(nullptr)));
    else
        return diagnose_condition<false, P>();
}
template <class Loop, class P, class Body, class First, class Second, class... More>
constexpr auto diagnose_loop() {
    if constexpr (!is_fine<decltype(diagnose_condition<false, P>())>)
        return why_no_condition<P, Body, First>();
    else if constexpr (!is_fine<decltype(diagnose_body<Loop, Body>())>)
        return diagnose_body<Loop, Body>();
    else if constexpr (!is_fine<decltype(diagnose_loop_options<Loop, true, First, Second, More...>())>)
        return diagnose_loop_options<Loop, true, First, Second, More...>();
    else
        return diagnose_progress<Body>(condition_of<P>);
}

// Concepts, since cograph/host_driven.hpp has calls that are refused without it.
template <class Loop, class P, class Body, class First, class Second>
concept refused_loop = !is_fine<decltype(diagnose_loop<Loop, P, Body, First, Second>())>;

template <class P, class Body, class First = no_loop_option, class Second = no_loop_option>
    requires refused_loop<while_loop, P, Body, First, Second>
auto loop_while(P, Body const&, First = {}, Second = {}, const char* = nullptr, unsigned = 0) -> decltype(mistake_of<struct loop_while_call, P, Body, First, Second>(diagnose_loop<while_loop, P, Body, First, Second>()));
template <class P, class Body, expression Second, class... More>
    requires(sizeof...(More) > 1)
auto loop_while(P, Body const&, Second const& second, More const&...) -> decltype(mistake_of<struct loop_while_call, P, Body, Second, More...>(without_seq(first_name(&second))));
// More options than one can say without cograph/launch_shape.hpp.
template <class P, class Body, class First, class Second, class Third, class... More>
    requires(is_loop_option<Second> && is_loop_option<Third> && !is_fine<decltype(diagnose_loop<while_loop, P, Body, First, Second, Third, More...>())>)
auto loop_while(P, Body const&, First, Second, Third, More...) -> decltype(mistake_of<struct loop_while_call, P, Body, First, Second, Third, More...>(diagnose_loop<while_loop, P, Body, First, Second, Third, More...>()));
template <class... A>
auto loop_while(A const&...) -> mistake<arguments_are_not_those_of<struct loop_while_call, A...>, struct write_loop_while_predicate_body>;

template <class Body, class P, class First = no_loop_option, class Second = no_loop_option>
    requires refused_loop<do_loop, P, Body, First, Second>
auto do_while(Body const&, P, First = {}, Second = {}, const char* = nullptr, unsigned = 0) -> decltype(mistake_of<struct do_while_call, P, Body, First, Second>(diagnose_loop<do_loop, P, Body, First, Second>()));
template <class Body, expression Second, class... More>
    requires(sizeof...(More) > 2)
auto do_while(Body const&, Second const& second, More const&...) -> decltype(mistake_of<struct do_while_call, Body, Second, More...>(without_seq(first_name(&second))));
template <class Body, class P, class First, class Second, class Third, class... More>
    requires(is_loop_option<Second> && is_loop_option<Third> && !is_fine<decltype(diagnose_loop<do_loop, P, Body, First, Second, Third, More...>())>)
auto do_while(Body const&, P, First, Second, Third, More...) -> decltype(mistake_of<struct do_while_call, P, Body, First, Second, Third, More...>(diagnose_loop<do_loop, P, Body, First, Second, Third, More...>()));
struct do_while_call;
advises<struct write_do_while_body_predicate> how_to_call(do_while_call*);
template <class A>
auto do_while(A const&) -> decltype(mistake_of<do_while_call, A>(wrong_arguments<do_while_call, A>()));
template <class... A>
auto do_while(A const&...) -> mistake<arguments_are_not_those_of<struct do_while_call, A...>, struct write_do_while_body_predicate>;

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
template <class Operation, class... T>
constexpr auto diagnose_iteration_count(word<formula<Operation, T...>>) {
    using P = formula<Operation, T...>;
    if constexpr (variables_in_formula<P> > most_arguments)
        return diagnose_formula_size<variables_in_formula<P>>();
    else if constexpr (predicate_like<P>)
        return diagnose_computed_count(operand_word(word<P>{}), decltype(predicate_result(condition_of<P>)){});
    else
        return why_no_predicate(static_cast<const P*>(nullptr));
}

template <class N>
constexpr auto swapped_count(word<N>) {
    return iteration_count_and_body_are_swapped<N>{};
}
template <class N, class Body, class Limit, class Second = no_loop_option, class... More>
constexpr auto diagnose_repeat() {
    if constexpr (expression<N>)
        return swapped_count(first_name(static_cast<const N*>(nullptr)));
    else if constexpr (!is_fine<decltype(diagnose_body<counted_loop, Body>())>)
        return diagnose_body<counted_loop, Body>();
    else if constexpr (!is_fine<decltype(diagnose_iteration_count(word<N>{}))>)
        return diagnose_iteration_count(word<N>{});
    else
        return diagnose_loop_options<counted_loop, false, Limit, Second, More...>();
}
template <index_t N, class Body, class Limit>
constexpr auto diagnose_repeat() {
    if constexpr (N < 0)
        return repeats_a_negative_number_of_times<N>{};
    else
        return diagnose_repeat<index_t, Body, Limit>();
}

template <class N, class Body, class Limit>
concept refused_repeat = !is_fine<decltype(diagnose_repeat<N, Body, Limit>())>;
template <index_t N, class Body, class Limit>
concept refused_fixed_repeat = !is_fine<decltype(diagnose_repeat<N, Body, Limit>())>;

template <class N, class Body, class Limit = no_loop_option>
    requires refused_repeat<N, Body, Limit>
auto repeat(N, Body const&, Limit = {}, const char* = nullptr, unsigned = 0) -> decltype(mistake_of<struct repeat_call, N, Body, Limit>(diagnose_repeat<N, Body, Limit>()));
template <class N, class Body, expression Second, class... More>
    requires(sizeof...(More) > 0)
auto repeat(N, Body const&, Second const& second, More const&...) -> decltype(mistake_of<struct repeat_call, N, Body, Second, More...>(without_seq(first_name(&second))));
template <class N, class Body, class First, class Second, class... More>
    requires(is_loop_option<First> && is_loop_option<Second> && !is_fine<decltype(diagnose_repeat<N, Body, First, Second, More...>())>)
auto repeat(N, Body const&, First, Second, More...) -> decltype(mistake_of<struct repeat_call, N, Body, First, Second, More...>(diagnose_repeat<N, Body, First, Second, More...>()));
struct repeat_call;
advises<struct write_repeat_iteration_count_body> how_to_call(repeat_call*);
template <class A>
auto repeat(A const&) -> decltype(mistake_of<repeat_call, A>(wrong_arguments<repeat_call, A>()));
template <class... A>
auto repeat(A const&...) -> mistake<arguments_are_not_those_of<struct repeat_call, A...>, struct write_repeat_iteration_count_body>;

template <index_t N, class Body, class Limit = no_loop_option>
    requires refused_fixed_repeat<N, Body, Limit>
auto repeat(Body const&, Limit = {}, const char* = nullptr, unsigned = 0) -> decltype(mistake_of<struct repeat_call, repeats_a_negative_number_of_times<N>, Body, Limit>(diagnose_repeat<N, Body, Limit>()));
template <index_t N, class Body, expression Second, class... More>
    requires(sizeof...(More) > 0)
auto repeat(Body const&, Second const& second, More const&...) -> decltype(mistake_of<struct repeat_call, Body, Second, More...>(without_seq(first_name(&second))));
template <index_t N, class... A>
auto repeat(A const&...) -> mistake<arguments_are_not_those_of<struct repeat_call, A...>, struct write_repeat_iteration_count_body>;
// A variable in angle brackets.
template <auto Count, class... A>
    requires(!std::is_convertible_v<decltype(Count), index_t>)
auto repeat(A const&...) -> decltype(mistake_of<repeat_call, decltype(Count), A...>(wrong_arguments<repeat_call, std::remove_cvref_t<decltype(Count)>, A...>()));

}  // namespace cograph::core
