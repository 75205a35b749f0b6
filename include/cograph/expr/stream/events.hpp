// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cograph/expr/core/kept_values.hpp>
#include <cograph/expr/refused/function/calls.hpp>
#include <cograph/expr/reasons/control_reasons.hpp>

struct CUevent_st;  // what a cudaEvent_t points to

namespace cograph::core {

// The code of nodes that are known by their form alone.
struct no_code {};

template <class Rule, class... A>
struct form_node {
    using self = form_node;
    using children = list<>;
    using arguments = list<A...>;
    using codes = list<no_code>;
    using kept_type = kept_pieces<kept_part_t<A>...>;
    static constexpr int leaves = 1;
    static constexpr node_spec tree{.kind = spec_kind::work,
                               .name = Rule::name,
                               .traits = &Rule::traits,
                               .arguments = arguments_of<A...>,
                               .argument_count = sizeof...(A),
                               .identity = &identity_of_type<Rule>};
    template <class Name>
    using reason_in_a_body = event_is_in_a_body<Name>;
    record records[1];
    [[no_unique_address]] kept_type kept;
};
template <class Rule, class... A>
word<Rule> word_of(const form_node<Rule, A...>*);
template <class Rule, class... A>
list<A...> operands_of(const form_node<Rule, A...>*);

struct record_event {
    static constexpr lazy_name name{"record"};
    static constexpr node_traits traits{.kind = "record", .is_kernel = false, .is_opaque = true, .can_be_disabled = false, .is_for_the_root = &is_always_for_the_root};
};
struct wait_for_event {
    static constexpr lazy_name name{"wait"};
    static constexpr node_traits traits{.kind = "wait", .is_kernel = false, .is_opaque = true, .can_be_disabled = false,
                                        .is_for_the_root = &is_always_for_the_root, .writes_partly = true, .written_elsewhere = true};
};
struct order_all {
    static constexpr lazy_name name{"barrier"};
    static constexpr node_traits traits{.kind = "barrier", .is_kernel = false, .is_opaque = true, .can_be_disabled = false};
};

using event_handle = CUevent_st*;
template <class E>
inline constexpr bool is_event = std::is_convertible_v<E, event_handle>;
template <variable V>
inline constexpr bool is_event<V> = V::kind == variable_kind::value && std::is_same_v<typename V::element, event_handle>;

// An event as a node holds it.
template <class E>
struct event_argument {
    using type = given<event_handle>;
};
template <variable V>
struct event_argument<V> {
    using type = in_t<V>;
};

template <class M>
inline constexpr bool is_whole_access = false;
template <access_argument M>
inline constexpr bool is_whole_access<M> = !M::describe.each && !by_value<typename M::variable>;

// A record only reads: what writes the variable next waits for it, what reads it does not. Behind a wait, what reads the variable
// waits as well.
template <class V>
constexpr auto access_mode_does_not_fit(word<record_event>, word<V>) {
    return record_writes_nothing<V>{};
}
template <class V>
constexpr auto access_mode_does_not_fit(word<wait_for_event>, word<V>) {
    return wait_lets_reads_pass<V>{};
}
template <class Rule, class M, class... Rest>
constexpr auto diagnose_modes(list<M, Rest...>) {
    if constexpr (writes(M::describe.access) != Rule::traits.written_elsewhere)
        return access_mode_does_not_fit(word<Rule>{}, decltype(variable_of(static_cast<const M*>(nullptr))){});
    else if constexpr (sizeof...(Rest) > 0)
        return diagnose_modes<Rule>(list<Rest...>{});
    else
        return fine{};
}
template <class Rule, class... Given>
constexpr auto diagnose_access_modes() {
    if constexpr (!(is_whole_access<Given> && ...))
        return arguments_are_not_those_of<Rule, Given...>{};
    else if constexpr (sizeof...(Given) > 0)
        return diagnose_modes<Rule>(list<Given...>{});
    else
        return fine{};
}
template <class Rule, class Event>
constexpr auto diagnose_event() {
    if constexpr (is_event<Event>)
        return fine{};
    else
        return arguments_are_not_those_of<Rule, Event>{};
}

// An event in its place. As it is, it is ordered against everything; called with marked variables, against what uses these.
template <class Rule, class Event>
struct event_node : form_node<Rule, Event> {
    template <class... M>
        requires is_fine<decltype(diagnose_access_modes<Rule, M...>())>
    constexpr form_node<Rule, Event, M...> operator()(M...) const {
        return {{this->records[0]}, with_access_modes<M...>()};
    }
    template <class... M>
    auto operator()(M...) const -> decltype(mistake_of<struct event_node, Rule, M...>(diagnose_access_modes<Rule, M...>()));

private:
    template <class... M>
    constexpr auto with_access_modes() const {
        if constexpr (std::is_same_v<typename event_node::kept_type, nothing>)
            return nothing{};
        else
            return boost::hana::unpack_impl<boost::hana::basic_tuple_tag>::apply(
                this->kept.members, [](event_handle event) { return keep_pieces(event, kept_part_t<M>{}...); });
    }
};

template <class Rule, class Event>
constexpr event_node<Rule, typename event_argument<Event>::type> make_event_node(Event event, const char* file, unsigned line) {
    using held = typename event_argument<Event>::type;
    return {{{{nullptr, file, line, {}}}, keep_pieces(keep_part<held>(event))}};
}

// How they are called.
advises<struct write_record_of_an_event_and_mark_what_it_is_behind> how_to_call(record_event*);
advises<struct write_wait_of_an_event_and_mark_what_is_behind_it> how_to_call(wait_for_event*);
advises<struct write_barrier_without_arguments> how_to_call(order_all*);

}  // namespace cograph::core

// Apart from core, which has other things of these names.
namespace cograph::core::nodes {

// Records an event, a cudaEvent_t or a value variable of one, when all before it is done; record(e)(in(x)): when those before
// it that write x are. Simulation passes over it.
template <class Event>
    requires is_event<Event>
constexpr auto record(Event event, const char* file = __builtin_FILE(), unsigned line = __builtin_LINE()) {
    return make_event_node<record_event>(event, file, line);
}
template <class Event>
    requires(!is_event<Event>)
auto record(Event) -> decltype(mistake_of<struct record_call, Event>(diagnose_event<record_event, Event>()));
template <class... A>
auto record(A const&...) -> mistake<arguments_are_not_those_of<record_event, A...>, write_record_of_an_event_and_mark_what_it_is_behind>;

// Waits for an event: all behind it runs when the event has happened; wait(e)(out(x)): what uses x does. Simulation passes
// over it.
template <class Event>
    requires is_event<Event>
constexpr auto wait(Event event, const char* file = __builtin_FILE(), unsigned line = __builtin_LINE()) {
    return make_event_node<wait_for_event>(event, file, line);
}
template <class Event>
    requires(!is_event<Event>)
auto wait(Event) -> decltype(mistake_of<struct wait_call, Event>(diagnose_event<wait_for_event, Event>()));
template <class... A>
auto wait(A const&...) -> mistake<arguments_are_not_those_of<wait_for_event, A...>, write_wait_of_an_event_and_mark_what_is_behind_it>;

// Everything before it in its region is done before anything behind it begins.
constexpr form_node<order_all> barrier(const char* file = __builtin_FILE(), unsigned line = __builtin_LINE()) {
    return {{{nullptr, file, line, {}}}, {}};
}
template <class... A>
    requires(sizeof...(A) > 0)
auto barrier(A const&...) -> decltype(mistake_of<struct barrier_call, A...>(wrong_arguments<order_all, A...>()));

}  // namespace cograph::core::nodes
