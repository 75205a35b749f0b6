// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cograph/expr/attributes.hpp>
#include <cograph/expr/condition.hpp>
#include <cograph/expr/order.hpp>

namespace cograph::core {

// What loops and branches are: the condition met on arrival and, of loops, the one after each pass of the body.
struct while_loop {
    static constexpr seed_kind kind = seed_kind::loop_while;
    static constexpr lazy_name name{"while"};
    using test = predicate_holds;
};
struct do_loop {
    static constexpr seed_kind kind = seed_kind::do_while;
    static constexpr lazy_name name{"do while"};
    using test = predicate_holds;
};
struct counted_loop {
    static constexpr seed_kind kind = seed_kind::repeat;
    static constexpr lazy_name name{"repeat"};
    using test = rounds_are_left;
};
struct branch {
    static constexpr seed_kind kind = seed_kind::when;
    static constexpr lazy_name name{"when"};
    using test = truth;
};
template <unsigned Cases>
struct selection {
    static constexpr seed_kind kind = seed_kind::switch_on;
    static constexpr lazy_name name{"switch"};
    using test = case_of<Cases>;
};

// A loop with attributes.
template <class Rule, int Every, class... Limit>
struct attributed : Rule {};

// Loops that are conditional nodes and those that are a part of a node.
constexpr int count_loops(const seed& tree) {
    int count = is_loop(tree.kind);
    for (int i = 0; tree.kind == seed_kind::work && i < tree.argument_count; ++i)
        count += tree.arguments[i].form == argument_form::counter && tree.arguments[i].size > 0;
    for (int i = 0; i < tree.child_count; ++i) count += count_loops(*tree.children[i]);
    return count;
}
constexpr int count_loops(const seed* const* trees, int count) {
    int loops = 0;
    for (int i = 0; i < count; ++i) loops += count_loops(*trees[i]);
    return loops;
}

// What the conditions of a loop or branch take in front of the predicate's arguments, and their codes.
template <class Rule, bool HasLoops>
struct branch_conditions {
    static constexpr int every = 1;
    using steps = Rule;
    using front = list<>;
    template <class... P>
    using codes = list<condition_code<typename Rule::test, P...>>;
};
template <class Rule>
struct branch_conditions<Rule, true> {
    static constexpr int every = 1;
    using steps = Rule;
    using front = list<counters_below>;
    template <class... P>
    using codes = list<condition_code<clears_below<typename Rule::test>, P...>>;
};
// A loop without the name of its limit.
template <class Rule, int Every, bool Limited>
struct loop_steps : Rule {
    static constexpr int every = Every;
    using asks = loop_test<typename Rule::test, Limited>;
    template <class... P>
    using first_code = condition_code<loop_is_met<asks>, P...>;
};
template <int Every, bool Limited>
struct loop_steps<do_loop, Every, Limited> : do_loop {
    static constexpr int every = Every;
    using asks = loop_test<predicate_holds, Limited>;
    template <class... P>
    using first_code = condition_code<loop_is_met<first_pass<asks::counts>>, tally>;
};
template <class Rule, int Every, class... Limit>
struct loop_conditions {
    static constexpr int every = Every;
    using steps = loop_steps<Rule, Every, sizeof...(Limit) == 1>;
    using front = list<counter, Limit...>;
    template <class... P>
    using codes = list<typename steps::template first_code<P...>, condition_code<loop_goes_on<typename steps::asks, Every>, P...>>;
};
template <class Rule, bool HasLoops>
struct conditions_of : branch_conditions<Rule, HasLoops> {};
template <bool HasLoops>
struct conditions_of<while_loop, HasLoops> : loop_conditions<while_loop, 1> {};
template <bool HasLoops>
struct conditions_of<do_loop, HasLoops> : loop_conditions<do_loop, 1> {};
template <bool HasLoops>
struct conditions_of<counted_loop, HasLoops> : loop_conditions<counted_loop, 1> {};
template <class Rule, int Every, class... Limit, bool HasLoops>
struct conditions_of<attributed<Rule, Every, Limit...>, HasLoops> : loop_conditions<Rule, Every, Limit...> {};

template <class... A, class... B>
constexpr list<A..., B...> operator+(list<A...>, list<B...>) {
    return {};
}

template <class Rule, class Predicate, class... Bodies>
struct control;
template <class Rule, class... A, class... Bodies>
struct control<Rule, predicate<A...>, Bodies...> {
    using self = control;
    using children = list<typename Bodies::self...>;
    using conditions = conditions_of<Rule, (count_loops(family<Bodies...>::trees, sizeof...(Bodies)) > 0)>;
    using arguments = decltype(typename conditions::front{} + list<A...>{});
    using kept_type = kept_pieces<typename predicate<A...>::kept_type, typename Bodies::kept_type...>;
    template <class... B>
    static constexpr auto code(list<B...>) -> typename conditions::template codes<plain<typename B::parameter>...>;
    using codes = decltype(code(arguments{}));
    template <class... B>
    static constexpr seed make_tree(list<B...>) {
        return {.kind = Rule::kind,
                .name = Rule::name,
                .arguments = arguments_of<B...>,
                .argument_count = sizeof...(B),
                .children = family<Bodies...>::trees,
                .child_count = sizeof...(Bodies),
                .every = conditions::every};
    }
    static constexpr int leaves = 1 + family<Bodies...>::leaves;
    static constexpr seed tree = make_tree(arguments{});
    record records[leaves];
    [[no_unique_address]] kept_type kept;
};

template <class Rule, class... A, class... Bodies>
constexpr control<Rule, predicate<A...>, Bodies...> make_control(record where, predicate<A...> p, Bodies const&... bodies) {
    control<Rule, predicate<A...>, Bodies...> whole{{where}, keep_pieces(p.kept, bodies.kept...)};
    family<Bodies...>::gather(whole.records + 1, bodies...);
    return whole;
}

// A loop, with what its attributes say.
template <class Rule, int Every, class Limit>
struct loop_rule {
    using type = attributed<Rule, Every, Limit>;
};
template <class Rule, int Every>
struct loop_rule<Rule, Every, void> {
    using type = attributed<Rule, Every>;
};
template <class Rule>
struct loop_rule<Rule, 1, void> {
    using type = Rule;
};
template <class Rule, class... A, class Body, class First, class Second>
constexpr auto make_loop(const char* file, unsigned line, predicate<A...> p, Body const& body, First first, Second second) {
    using said = attributes<First, Second>;
    record where{nullptr, file, line, {}};
    where.shape.count = said::passes_of(first, second);
    return make_control<typename loop_rule<Rule, said::every, typename said::limit>::type>(where, p, body);
}

template <class Rule, class P, class... Bodies>
word<Rule> word_of(const control<Rule, P, Bodies...>*);
template <class Rule, int Every, class... Limit, class P, class... Bodies>
word<Rule> word_of(const control<attributed<Rule, Every, Limit...>, P, Bodies...>*);
template <class Rule, class... A, class... Bodies>
constexpr auto operands_of(const control<Rule, predicate<A...>, Bodies...>*) {
    return typename control<Rule, predicate<A...>, Bodies...>::conditions::front{} + list<A...>{};
}
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
template <class Loop, class P, class Body, class First, class Second>
constexpr auto diagnose_loop() {
    if constexpr (!is_fine<decltype(diagnose_condition<false, P>())>)
        return diagnose_condition<false, P>();
    else if constexpr (!is_fine<decltype(diagnose_body<Loop, Body>())>)
        return diagnose_body<Loop, Body>();
    else if constexpr (!is_fine<decltype(diagnose_attributes<Loop, true, First, Second>())>)
        return diagnose_attributes<Loop, true, First, Second>();
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

// The body again and again while the predicate holds; tested first, so the body may run zero times. Behind the body may
// stand at_most(n) and check_every<k>.
template <class P, class Body, class First = no_attribute, class Second = no_attribute>
    requires is_fine<decltype(diagnose_loop<while_loop, P, Body, First, Second>())>
constexpr auto loop_while(P p, Body const& body, First first = {}, Second second = {}, const char* file = __builtin_FILE(),
                          unsigned line = __builtin_LINE()) {
    return make_loop<while_loop>(file, line, as_predicate(p), body, first, second);
}
template <class P, class Body, class First = no_attribute, class Second = no_attribute>
    requires(!is_fine<decltype(diagnose_loop<while_loop, P, Body, First, Second>())>)
auto loop_while(P, Body const&, First = {}, Second = {}) -> decltype(mistake_of<struct loop_while_call, P, Body, First, Second>(diagnose_loop<while_loop, P, Body, First, Second>()));
template <class... A>
auto loop_while(A const&...) -> mistake<arguments_are_not_those_of<struct loop_while_call, A...>, struct write_loop_while_predicate_body>;

// The body once, and again while the predicate holds; with the same attributes.
template <class Body, class P, class First = no_attribute, class Second = no_attribute>
    requires is_fine<decltype(diagnose_loop<do_loop, P, Body, First, Second>())>
constexpr auto do_while(Body const& body, P p, First first = {}, Second second = {}, const char* file = __builtin_FILE(),
                        unsigned line = __builtin_LINE()) {
    return make_loop<do_loop>(file, line, as_predicate(p), body, first, second);
}
template <class Body, class P, class First = no_attribute, class Second = no_attribute>
    requires(!is_fine<decltype(diagnose_loop<do_loop, P, Body, First, Second>())>)
auto do_while(Body const&, P, First = {}, Second = {}) -> decltype(mistake_of<struct do_while_call, P, Body, First, Second>(diagnose_loop<do_loop, P, Body, First, Second>()));
template <class... A>
auto do_while(A const&...) -> mistake<arguments_are_not_those_of<struct do_while_call, A...>, struct write_do_while_body_predicate>;

template <class N>
constexpr auto rounds_of() {
    if constexpr (variable<N>)
        return std::type_identity<reference_to<in_t<N>>>{};
    else
        return std::type_identity<given<N>>{};
}

template <class N>
constexpr auto swapped_rounds(word<N>) {
    return rounds_and_body_are_swapped<N>{};
}
template <class N, class Body, class Limit>
constexpr auto diagnose_repeat() {
    if constexpr (expression<N>)
        return swapped_rounds(first_name(static_cast<const N*>(nullptr)));
    else if constexpr (!is_fine<decltype(diagnose_body<counted_loop, Body>())>)
        return diagnose_body<counted_loop, Body>();
    else if constexpr (std::is_integral_v<N>)
        return diagnose_attributes<counted_loop, false, Limit, no_attribute>();
    else if constexpr (formula_variable<N> && requires { requires std::is_integral_v<typename N::element>; })
        return diagnose_attributes<counted_loop, false, Limit, no_attribute>();
    else
        return rounds_are_not_an_integer<N>{};
}
template <index_t N, class Body, class Limit>
constexpr auto diagnose_repeat() {
    if constexpr (N < 0)
        return repeats_a_negative_number_of_times<N>{};
    else
        return diagnose_repeat<index_t, Body, Limit>();
}

// The body n times, not at all when n <= 0; n is an integer, or an integer value or scalar, read again before each pass.
// Behind the body may stand at_most(n).
template <class N, class Body, class Limit = no_attribute>
    requires is_fine<decltype(diagnose_repeat<N, Body, Limit>())>
constexpr auto repeat(N n, Body const& body, Limit limit = {}, const char* file = __builtin_FILE(), unsigned line = __builtin_LINE()) {
    using rounds = typename decltype(rounds_of<N>())::type;
    const predicate<rounds> counted{keep_pieces(keep_part<rounds>(n))};
    return make_loop<counted_loop>(file, line, counted, body, limit, no_attribute{});
}
template <class N, class Body, class Limit = no_attribute>
    requires(!is_fine<decltype(diagnose_repeat<N, Body, Limit>())>)
auto repeat(N, Body const&, Limit = {}) -> decltype(mistake_of<struct repeat_call, N, Body, Limit>(diagnose_repeat<N, Body, Limit>()));
template <class... A>
auto repeat(A const&...) -> mistake<arguments_are_not_those_of<struct repeat_call, A...>, struct write_repeat_rounds_body>;

// The same for a number that the compiler knows and checks: repeat<10>(body).
template <index_t N, class Body, class Limit = no_attribute>
    requires is_fine<decltype(diagnose_repeat<N, Body, Limit>())>
constexpr auto repeat(Body const& body, Limit limit = {}, const char* file = __builtin_FILE(), unsigned line = __builtin_LINE()) {
    return repeat(N, body, limit, file, line);
}
template <index_t N, class Body, class Limit = no_attribute>
    requires(!is_fine<decltype(diagnose_repeat<N, Body, Limit>())>)
auto repeat(Body const&, Limit = {}) -> decltype(mistake_of<struct repeat_call, repeats_a_negative_number_of_times<N>, Body, Limit>(diagnose_repeat<N, Body, Limit>()));
template <index_t N, class... A>
auto repeat(A const&...) -> mistake<arguments_are_not_those_of<struct repeat_call, A...>, struct write_repeat_rounds_body>;

template <class Body>
struct otherwise_t {
    Body body;
};

template <class Body>
constexpr auto alone(word<Body>) {
    return otherwise_without_when<Body>{};
}
template <class Body>
constexpr auto why_no_expression(const otherwise_t<Body>*) {
    return alone(first_name(static_cast<const Body*>(nullptr)));
}
template <class Body>
constexpr auto bare_branch(word<Body>) {
    return second_branch_is_bare<Body>{};
}

// The other branch of when.
template <expression Body>
constexpr otherwise_t<Body> otherwise(Body const& body) {
    return {body};
}
template <class Body>
    requires(!expression<Body>)
auto otherwise(Body const&) -> decltype(mistake_of<struct otherwise_call, Body>(why_no_expression(static_cast<const Body*>(nullptr))));
template <class... A>
auto otherwise(A const&...) -> mistake<arguments_are_not_those_of<struct otherwise_call, A...>, struct write_otherwise_expression>;

// The first branch when the predicate holds, else the second, or nothing.
template <class P, class Then>
    requires is_fine<decltype(diagnose_branches_of<false, P, Then>())>
constexpr auto when(P p, Then const& then, const char* file = __builtin_FILE(), unsigned line = __builtin_LINE()) {
    return make_control<branch>({nullptr, file, line, {}}, as_predicate(p), then);
}
template <class P, class Then>
    requires(!is_fine<decltype(diagnose_branches_of<false, P, Then>())>)
auto when(P, Then const&) -> decltype(mistake_of<struct when_call, P, Then>(diagnose_branches_of<false, P, Then>()));

template <class P, class Then, class Else>
    requires is_fine<decltype(diagnose_branches_of<false, P, Then, Else>())>
constexpr auto when(P p, Then const& then, otherwise_t<Else> const& other, const char* file = __builtin_FILE(),
                    unsigned line = __builtin_LINE()) {
    return make_control<branch>({nullptr, file, line, {}}, as_predicate(p), then, other.body);
}
template <class P, class Then, class Else>
    requires(!is_fine<decltype(diagnose_branches_of<false, P, Then, Else>())>)
auto when(P, Then const&, otherwise_t<Else> const&) -> decltype(mistake_of<struct when_call, P, Then, Else>(diagnose_branches_of<false, P, Then, Else>()));
template <class P, class Then, expression Else>
auto when(P, Then const&, Else const& other) -> decltype(mistake_of<struct when_call, P, Then, otherwise_t<Else>>(bare_branch(first_name(&other))));
template <class... A>
auto when(A const&...) -> mistake<arguments_are_not_those_of<struct when_call, A...>, struct write_when_predicate_expression_otherwise_expression>;

// The case that the integer selector numbers, from 0; none when there is no such case. Placed where its first case is.
template <class P, class First, class... Rest>
    requires is_fine<decltype(diagnose_branches_of<true, P, First, Rest...>())>
constexpr auto switch_on(P p, First const& first, Rest const&... rest) {
    const record where{nullptr, first.records[0].file, first.records[0].line, {}};
    return make_control<selection<1 + sizeof...(Rest)>>(where, as_predicate(p), first, rest...);
}
template <class P, class First, class... Rest>
    requires(!is_fine<decltype(diagnose_branches_of<true, P, First, Rest...>())>)
auto switch_on(P, First const&, Rest const&...) -> decltype(mistake_of<struct switch_on_call, P, First, Rest...>(diagnose_branches_of<true, P, First, Rest...>()));
template <class... A>
auto switch_on(A const&...) -> mistake<arguments_are_not_those_of<struct switch_on_call, A...>, struct write_switch_on_selector_and_one_expression_a_case>;

}  // namespace cograph::core
