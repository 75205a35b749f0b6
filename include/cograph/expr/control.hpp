// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cograph/expr/condition.hpp>
#include <cograph/expr/order.hpp>

namespace cograph {

// What loops and branches are: the condition met on arrival and, of loops, the one after each pass of the body.
struct while_loop {
    static constexpr seed_kind kind = seed_kind::loop_while;
    static constexpr lazy_name name{"while"};
    template <class... P>
    using codes = list<condition_code<truth, P...>, condition_code<truth, P...>>;
};
struct do_loop {
    static constexpr seed_kind kind = seed_kind::do_while;
    static constexpr lazy_name name{"do while"};
    template <class... P>
    using codes = list<condition_code<always>, condition_code<truth, P...>>;
};
struct counted_loop {
    static constexpr seed_kind kind = seed_kind::repeat;
    static constexpr lazy_name name{"repeat"};
    template <class... P>
    using codes = list<condition_code<first_round, P...>, condition_code<next_round, P...>>;
};
struct branch {
    static constexpr seed_kind kind = seed_kind::when;
    static constexpr lazy_name name{"when"};
    template <class... P>
    using codes = list<condition_code<truth, P...>>;
};
template <unsigned Cases>
struct selection {
    static constexpr seed_kind kind = seed_kind::switch_on;
    static constexpr lazy_name name{"switch"};
    template <class... P>
    using codes = list<condition_code<case_of<Cases>, P...>>;
};

template <class Rule, class Predicate, class... Bodies>
struct control;
template <class Rule, class... A, class... Bodies>
struct control<Rule, predicate<A...>, Bodies...> {
    using self = control;
    using children = list<typename Bodies::self...>;
    using codes = typename Rule::template codes<plain<typename A::parameter>...>;
    using arguments = list<A...>;
    using kept_type = kept_pieces<typename predicate<A...>::kept_type, typename Bodies::kept_type...>;
    static constexpr int leaves = 1 + family<Bodies...>::leaves;
    static constexpr seed tree{.kind = Rule::kind,
                               .name = Rule::name,
                               .arguments = arguments_of<A...>,
                               .argument_count = sizeof...(A),
                               .children = family<Bodies...>::trees,
                               .child_count = sizeof...(Bodies)};
    record records[leaves];
    [[no_unique_address]] kept_type kept;
};

template <class Rule, class... A, class... Bodies>
constexpr control<Rule, predicate<A...>, Bodies...> make_control(record where, predicate<A...> p, Bodies const&... bodies) {
    control<Rule, predicate<A...>, Bodies...> whole{{where}, keep_pieces(p.kept, bodies.kept...)};
    family<Bodies...>::gather(whole.records + 1, bodies...);
    return whole;
}

// The predicate of a loop or branch, checked.
template <predicate_like P>
constexpr auto decide(P p) {
    static_cast<void>(require<decltype(diagnose_condition<decltype(as_predicate(p))>())>{});
    return as_predicate(p);
}

// Whether a loop can end.
template <class Loop>
struct diagnose_progress;
template <class Rule, class... A, class Body>
struct diagnose_progress<control<Rule, predicate<A...>, Body>> {
    static constexpr bool can_end = can_change(arguments_of<A...>, sizeof...(A), Body::tree);
    using type = std::conditional_t<can_end, fine, predicate_never_changes<predicate<A...>, Body>>;
};

// The body again and again while the predicate holds; tested first, so the body may run zero times.
template <predicate_like P, expression Body>
constexpr auto loop_while(P p, Body const& body, const char* file = __builtin_FILE(), unsigned line = __builtin_LINE()) {
    const auto loop = make_control<while_loop>({nullptr, file, line, {}}, decide(p), body);
    static_cast<void>(require<typename diagnose_progress<std::remove_const_t<decltype(loop)>>::type>{});
    return loop;
}

// The body once, and again while the predicate holds.
template <expression Body, predicate_like P>
constexpr auto do_while(Body const& body, P p, const char* file = __builtin_FILE(), unsigned line = __builtin_LINE()) {
    const auto loop = make_control<do_loop>({nullptr, file, line, {}}, decide(p), body);
    static_cast<void>(require<typename diagnose_progress<std::remove_const_t<decltype(loop)>>::type>{});
    return loop;
}

template <class N>
constexpr auto rounds_of() {
    if constexpr (variable<N>)
        return std::type_identity<reference_to<in_t<N>>>{};
    else
        return std::type_identity<given<N>>{};
}

// The body n times, not at all when n <= 0; n is an integer, or an integer value or scalar, read again before each pass.
template <class N, expression Body>
    requires std::is_integral_v<N> || (formula_variable<N> && std::is_integral_v<typename N::element>)
constexpr auto repeat(N n, Body const& body, const char* file = __builtin_FILE(), unsigned line = __builtin_LINE()) {
    using rounds = typename decltype(rounds_of<N>())::type;
    const predicate<counter, rounds> counted{keep_pieces(nothing{}, keep_part<rounds>(n))};
    return make_control<counted_loop>({nullptr, file, line, {}}, counted, body);
}

template <class Body>
struct otherwise_t {
    Body body;
};

// The other branch of when.
template <expression Body>
constexpr otherwise_t<Body> otherwise(Body const& body) {
    return {body};
}

// The first branch when the predicate holds, else the second, or nothing.
template <predicate_like P, expression Then>
constexpr auto when(P p, Then const& then, const char* file = __builtin_FILE(), unsigned line = __builtin_LINE()) {
    return make_control<branch>({nullptr, file, line, {}}, decide(p), then);
}
template <predicate_like P, expression Then, class Else>
constexpr auto when(P p, Then const& then, otherwise_t<Else> const& other, const char* file = __builtin_FILE(),
                    unsigned line = __builtin_LINE()) {
    return make_control<branch>({nullptr, file, line, {}}, decide(p), then, other.body);
}

// The case that the integer selector numbers, from 0; none when there is no such case. Placed where its first case is.
template <predicate_like P, expression First, expression... Rest>
constexpr auto switch_on(P p, First const& first, Rest const&... rest) {
    const record where{nullptr, first.records[0].file, first.records[0].line, {}};
    return make_control<selection<1 + sizeof...(Rest)>>(where, decide(p), first, rest...);
}

}  // namespace cograph
