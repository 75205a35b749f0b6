// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cograph/expr/condition.hpp>
#include <cograph/expr/order.hpp>

namespace cograph::core {

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

template <class Rule, class P, class... Bodies>
word<Rule> word_of(const control<Rule, P, Bodies...>*);
template <class Rule, class... A, class... Bodies>
list<A...> operands_of(const control<Rule, predicate<A...>, Bodies...>*);
template <class Rule, class P, class... Bodies>
list<Bodies...> members_of(const control<Rule, P, Bodies...>*);

// The variables of a predicate, each once.
template <class... V>
constexpr auto variables_of(list<>, list<V...>) {
    return predicate_never_changes<V...>{};
}
template <class A, class... Rest, class... V>
constexpr auto variables_of(list<A, Rest...>, list<V...> known) {
    if constexpr (mark<A>)
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
constexpr auto diagnose_progress(const predicate<A...>*) {
    if constexpr (can_change(arguments_of<A...>, sizeof...(A), Body::tree))
        return fine{};
    else
        return variables_of(list<A...>{}, list<>{});
}

// What may not be in a body.
template <node_form Form, class Node>
constexpr auto not_in_a_body(word<Node>) {
    if constexpr (Form == node_form::host)
        return host_work_is_in_a_body<Node>{};
    else if constexpr (Form == node_form::memory_copy)
        return pageable_copy_is_in_a_body<Node>{};
    else
        return event_is_in_a_body<Node>{};
}
template <class E>
constexpr node_form form_of(word<E>) {
    return E::tree.form;
}
template <class... Bodies>
constexpr auto diagnose_in_bodies() {
    constexpr int found = find_root_node(family<Bodies...>::trees, sizeof...(Bodies));
    if constexpr (found < 0)
        return fine{};
    else
        return not_in_a_body<form_of(node_among<found>(list<Bodies...>{}))>(name_of(node_among<found>(list<Bodies...>{})));
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
template <class Loop, class P, class Body>
constexpr auto diagnose_loop() {
    if constexpr (!is_fine<decltype(diagnose_condition<false, P>())>)
        return diagnose_condition<false, P>();
    else if constexpr (!is_fine<decltype(diagnose_body<Loop, Body>())>)
        return diagnose_body<Loop, Body>();
    else
        return diagnose_progress<Body>(condition_of<P>);
}
template <bool Selects, class P, class... Bodies>
constexpr auto diagnose_branches_of() {
    if constexpr (!is_fine<decltype(diagnose_condition<Selects, P>())>)
        return diagnose_condition<Selects, P>();
    else if constexpr (!is_fine<decltype(diagnose_members<Bodies...>())>)
        return diagnose_members<Bodies...>();
    else
        return diagnose_in_bodies<Bodies...>();
}

// The body again and again while the predicate holds; tested first, so the body may run zero times.
template <class P, class Body>
    requires is_fine<decltype(diagnose_loop<while_loop, P, Body>())>
constexpr auto loop_while(P p, Body const& body, const char* file = __builtin_FILE(), unsigned line = __builtin_LINE()) {
    return make_control<while_loop>({nullptr, file, line, {}}, as_predicate(p), body);
}
template <class P, class Body>
    requires(!is_fine<decltype(diagnose_loop<while_loop, P, Body>())>)
auto loop_while(P, Body const&) -> decltype(mistake_of(diagnose_loop<while_loop, P, Body>()));

// The body once, and again while the predicate holds.
template <class Body, class P>
    requires is_fine<decltype(diagnose_loop<do_loop, P, Body>())>
constexpr auto do_while(Body const& body, P p, const char* file = __builtin_FILE(), unsigned line = __builtin_LINE()) {
    return make_control<do_loop>({nullptr, file, line, {}}, as_predicate(p), body);
}
template <class Body, class P>
    requires(!is_fine<decltype(diagnose_loop<do_loop, P, Body>())>)
auto do_while(Body const&, P) -> decltype(mistake_of(diagnose_loop<do_loop, P, Body>()));

template <class N>
constexpr auto rounds_of() {
    if constexpr (variable<N>)
        return std::type_identity<reference_to<in_t<N>>>{};
    else
        return std::type_identity<given<N>>{};
}

template <class N, class Body>
constexpr auto diagnose_repeat() {
    if constexpr (std::is_integral_v<N>)
        return diagnose_body<counted_loop, Body>();
    else if constexpr (formula_variable<N> && requires { requires std::is_integral_v<typename N::element>; })
        return diagnose_body<counted_loop, Body>();
    else
        return rounds_are_not_an_integer<N>{};
}
template <index_t N, class Body>
constexpr auto diagnose_repeat() {
    if constexpr (N < 0)
        return repeats_a_negative_number_of_times<N>{};
    else
        return diagnose_body<counted_loop, Body>();
}

// The body n times, not at all when n <= 0; n is an integer, or an integer value or scalar, read again before each pass.
template <class N, class Body>
    requires is_fine<decltype(diagnose_repeat<N, Body>())>
constexpr auto repeat(N n, Body const& body, const char* file = __builtin_FILE(), unsigned line = __builtin_LINE()) {
    using rounds = typename decltype(rounds_of<N>())::type;
    const predicate<counter, rounds> counted{keep_pieces(nothing{}, keep_part<rounds>(n))};
    return make_control<counted_loop>({nullptr, file, line, {}}, counted, body);
}
template <class N, class Body>
    requires(!is_fine<decltype(diagnose_repeat<N, Body>())>)
auto repeat(N, Body const&) -> decltype(mistake_of(diagnose_repeat<N, Body>()));

// The same for a number that the compiler knows and checks: repeat<10>(body).
template <index_t N, class Body>
    requires is_fine<decltype(diagnose_repeat<N, Body>())>
constexpr auto repeat(Body const& body, const char* file = __builtin_FILE(), unsigned line = __builtin_LINE()) {
    return repeat(N, body, file, line);
}
template <index_t N, class Body>
    requires(!is_fine<decltype(diagnose_repeat<N, Body>())>)
auto repeat(Body const&) -> decltype(mistake_of(diagnose_repeat<N, Body>()));

template <class Body>
struct otherwise_t {
    Body body;
};

// The other branch of when.
template <expression Body>
constexpr otherwise_t<Body> otherwise(Body const& body) {
    return {body};
}
template <class Body>
    requires(!expression<Body>)
auto otherwise(Body const&) -> decltype(mistake_of(why_no_expression(static_cast<const Body*>(nullptr))));

// The first branch when the predicate holds, else the second, or nothing.
template <class P, class Then>
    requires is_fine<decltype(diagnose_branches_of<false, P, Then>())>
constexpr auto when(P p, Then const& then, const char* file = __builtin_FILE(), unsigned line = __builtin_LINE()) {
    return make_control<branch>({nullptr, file, line, {}}, as_predicate(p), then);
}
template <class P, class Then>
    requires(!is_fine<decltype(diagnose_branches_of<false, P, Then>())>)
auto when(P, Then const&) -> decltype(mistake_of(diagnose_branches_of<false, P, Then>()));

template <class P, class Then, class Else>
    requires is_fine<decltype(diagnose_branches_of<false, P, Then, Else>())>
constexpr auto when(P p, Then const& then, otherwise_t<Else> const& other, const char* file = __builtin_FILE(),
                    unsigned line = __builtin_LINE()) {
    return make_control<branch>({nullptr, file, line, {}}, as_predicate(p), then, other.body);
}
template <class P, class Then, class Else>
    requires(!is_fine<decltype(diagnose_branches_of<false, P, Then, Else>())>)
auto when(P, Then const&, otherwise_t<Else> const&) -> decltype(mistake_of(diagnose_branches_of<false, P, Then, Else>()));
template <class P, class Then, expression Else>
auto when(P, Then const&, Else const&) -> decltype(mistake_of(second_branch_is_bare<branch>{}));

// The case that the integer selector numbers, from 0; none when there is no such case. Placed where its first case is.
template <class P, class First, class... Rest>
    requires is_fine<decltype(diagnose_branches_of<true, P, First, Rest...>())>
constexpr auto switch_on(P p, First const& first, Rest const&... rest) {
    const record where{nullptr, first.records[0].file, first.records[0].line, {}};
    return make_control<selection<1 + sizeof...(Rest)>>(where, as_predicate(p), first, rest...);
}
template <class P, class First, class... Rest>
    requires(!is_fine<decltype(diagnose_branches_of<true, P, First, Rest...>())>)
auto switch_on(P, First const&, Rest const&...) -> decltype(mistake_of(diagnose_branches_of<true, P, First, Rest...>()));

}  // namespace cograph::core
