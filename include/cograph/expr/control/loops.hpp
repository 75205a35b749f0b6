// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cograph/expr/control/control.hpp>
#include <cograph/expr/refused/control/loops.hpp>

namespace cograph::core {

// A loop with its options.
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
template <class Rule, class... A, class Body, class... Option>
constexpr auto make_loop(const char* file, unsigned line, condition<A...> p, Body const& body, Option... option) {
    using said = loop_options<Option...>;
    record where{nullptr, file, line, {}};
    where.shape.count = said::limit_of(option...);
    return make_control<typename said::template with_shape<typename loop_rule<Rule, said::every, typename said::limit>::type>>(where, p, body);
}

// Repeats the body while the predicate holds; tested first, so the body may run zero times. at_most(n) and
// check_every<k> may follow the body.
template <class P, class Body, class First = no_loop_option, class Second = no_loop_option>
    requires is_fine<decltype(diagnose_loop<while_loop, P, Body, First, Second>())>
constexpr auto loop_while(P p, Body const& body, First first = {}, Second second = {}, const char* file = __builtin_FILE(),
                          unsigned line = __builtin_LINE()) {
    return make_loop<while_loop>(file, line, as_predicate(p), body, first, second);
}

// The body once, and again while the predicate holds; with the same loop options.
template <class Body, class P, class First = no_loop_option, class Second = no_loop_option>
    requires is_fine<decltype(diagnose_loop<do_loop, P, Body, First, Second>())>
constexpr auto do_while(Body const& body, P p, First first = {}, Second second = {}, const char* file = __builtin_FILE(),
                        unsigned line = __builtin_LINE()) {
    return make_loop<do_loop>(file, line, as_predicate(p), body, first, second);
}

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

// Runs the body n times, not at all if n <= 0; n is an integer or an integer formula, computed before each iteration.
// at_most(n) may follow the body.
template <class N, class Body, class Limit = no_loop_option>
    requires is_fine<decltype(diagnose_repeat<N, Body, Limit>())>
constexpr auto repeat(N n, Body const& body, Limit limit = {}, const char* file = __builtin_FILE(), unsigned line = __builtin_LINE()) {
    return make_loop<counted_loop>(file, line, as_iteration_count(n), body, limit, no_loop_option{});
}

// The same for a number that the compiler knows and checks: repeat<10>(body).
template <index_t N, class Body, class Limit = no_loop_option>
    requires is_fine<decltype(diagnose_repeat<N, Body, Limit>())>
constexpr auto repeat(Body const& body, Limit limit = {}, const char* file = __builtin_FILE(), unsigned line = __builtin_LINE()) {
    return repeat(N, body, limit, file, line);
}

}  // namespace cograph::core
