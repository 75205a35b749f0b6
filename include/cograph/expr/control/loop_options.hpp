// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cograph/expr/core/naming.hpp>
#include <cograph/expr/formula/formula.hpp>
#include <cograph/expr/node/callable_checks.hpp>
#include <cograph/expr/reasons/control_reasons.hpp>

namespace cograph::core {

// What can be said of a loop behind its body: at_most(n) and check_every<k>.

// A limit: how it reaches the conditions of its loop, and its number, where that is not a variable's.
template <class Argument>
struct iteration_limit {
    using argument = Argument;
    index_t most = 0;
};
template <int K>
struct test_interval {};
struct no_loop_option {};

template <class N>
constexpr auto diagnose_limit() {
    if constexpr (std::is_integral_v<N>)
        return fine{};
    else if constexpr (variable<N>) {
        if constexpr (N::kind == variable_kind::value && std::is_integral_v<typename N::element>)
            return fine{};
        else
            return limit_is_not_an_integer<N>{};
    } else
        return limit_is_not_an_integer<N>{};
}
template <index_t N>
constexpr auto diagnose_limit() {
    if constexpr (N < 0)
        return limit_is_negative<N>{};
    else
        return fine{};
}

// Ends a loop after n passes, an integer or an integer value variable, whether its predicate holds or not.
template <class N>
    requires is_fine<decltype(diagnose_limit<N>())>
constexpr auto at_most(N n) {
    if constexpr (variable<N>)
        return iteration_limit<in_t<N>>{};
    else
        return iteration_limit<constant_extent>{less_than(index_t{PTRDIFF_MAX}, n) ? index_t{PTRDIFF_MAX} : static_cast<index_t>(n)};
}
template <class N>
    requires(!is_fine<decltype(diagnose_limit<N>())>)
auto at_most(N) -> decltype(mistake_of<struct at_most_call, N>(diagnose_limit<N>()));

// The same for a number that the compiler knows and checks: at_most<100>().
template <index_t N>
    requires is_fine<decltype(diagnose_limit<N>())>
constexpr auto at_most() {
    return at_most(N);
}
template <index_t N>
    requires(!is_fine<decltype(diagnose_limit<N>())>)
auto at_most() -> decltype(mistake_of<struct at_most_call, limit_is_negative<N>>(diagnose_limit<N>()));
template <class... A>
    requires(sizeof...(A) != 1)
auto at_most(A const&...) -> mistake<arguments_are_not_those_of<struct at_most_call, A...>, struct limit_a_loop_by_an_integer_or_an_integer_value>;

// The body runs K times from one test to the next, so a loop may do up to K - 1 passes more than it needs.
template <int K>
inline constexpr test_interval<K> check_every{};

// What a list of loop options says.
template <class... A>
struct loop_options {
    using limit = void;
    static constexpr int every = 1;
    static constexpr int limits = 0, intervals = 0;
    static constexpr index_t limit_of(A const&...) { return 0; }
};
template <class... A>
struct loop_options<no_loop_option, A...> : loop_options<A...> {
    static constexpr index_t limit_of(no_loop_option, A const&... more) { return loop_options<A...>::limit_of(more...); }
};
template <class Argument, class... A>
struct loop_options<iteration_limit<Argument>, A...> : loop_options<A...> {
    using limit = Argument;
    static constexpr int limits = loop_options<A...>::limits + 1;
    static constexpr index_t limit_of(iteration_limit<Argument> own, A const&...) { return own.most; }
};
template <int K, class... A>
struct loop_options<test_interval<K>, A...> : loop_options<A...> {
    static constexpr int every = K;
    static constexpr int intervals = loop_options<A...>::intervals + 1;
    static constexpr index_t limit_of(test_interval<K>, A const&... more) { return loop_options<A...>::limit_of(more...); }
};

template <class T>
inline constexpr bool is_loop_option = std::is_same_v<T, no_loop_option>;
template <class Argument>
inline constexpr bool is_loop_option<iteration_limit<Argument>> = true;
template <int K>
inline constexpr bool is_loop_option<test_interval<K>> = true;

// Where an expression or a predicate stands.
template <class A>
    requires is_loop_option<A>
constexpr loop_option_is_not_last why_no_expression(const A*) {
    return {};
}
template <class A>
    requires is_loop_option<A>
constexpr loop_option_is_not_last why_no_predicate(const A*) {
    return {};
}

template <class Given>
constexpr auto why_no_loop_option() {
    if constexpr (expression<Given>)
        return without_seq(first_name(static_cast<const Given*>(nullptr)));
    else
        return not_a_loop_option<Given>{};
}

// Whether the loop options of a loop make sense. CanSkip: tests may be left out.
template <class Loop, bool CanSkip, class First, class Second>
constexpr auto diagnose_loop_options() {
    using all = loop_options<First, Second>;
    if constexpr (!is_loop_option<First>)
        return why_no_loop_option<First>();
    else if constexpr (!is_loop_option<Second>)
        return why_no_loop_option<Second>();
    else if constexpr (all::limits > 1 || all::intervals > 1)
        return loop_option_is_repeated<Loop>{};
    else if constexpr (all::every < 1)
        return tests_need_a_pass_between_them<all::every>{};
    else if constexpr (all::every > 1 && !CanSkip)
        return repeat_tests_every_iteration<Loop>{};
    else
        return fine{};
}

}  // namespace cograph::core
