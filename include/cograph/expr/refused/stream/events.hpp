// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cograph/expr/reasons/control_reasons.hpp>
#include <cograph/expr/refused/naming.hpp>
#include <cograph/expr/stream/event_nodes.hpp>

namespace cograph::core {

// Refused calls of record, wait and barrier.

// How they are called.
advises<struct write_record_of_an_event_and_mark_the_variables_that_it_comes_after> how_to_call(record_event*);
advises<struct write_wait_of_an_event_and_mark_the_variables_that_come_after_it> how_to_call(wait_for_event*);
advises<struct write_barrier_without_arguments> how_to_call(order_all*);

// A record writes nothing. It follows writers of a variable that is marked in, and also readers of one that is marked
// inout. Readers of a variable wait as well after a wait.
template <class V>
constexpr auto access_mode_does_not_fit(word<record_event>, word<V>) {
    return record_writes_nothing<V>{};
}
template <class V>
constexpr auto access_mode_does_not_fit(word<wait_for_event>, word<V>) {
    return wait_lets_reads_pass<V>{};
}
template <class Rule>
constexpr bool fits(word<Rule>, access_mode how) {
    return Rule::traits.written_elsewhere ? writes(how) : reads(how);
}
template <class Rule, class M, class... Rest>
constexpr auto diagnose_modes(list<M, Rest...>) {
    if constexpr (!fits(word<Rule>{}, M::describe.access))
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
    else if constexpr (sizeof...(Given) > most_arguments)
        return too_many_parameters<Rule, takes_parameters<sizeof...(Given)>, limit_is<most_arguments>>{};
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

}  // namespace cograph::core

namespace cograph::core::nodes {

template <class Event>
    requires(!is_event<Event>)
auto record(Event) -> decltype(mistake_of<struct record_call, Event>(diagnose_event<record_event, Event>()));
template <class... A>
auto record(A const&...) -> mistake<arguments_are_not_those_of<record_event, A...>, write_record_of_an_event_and_mark_the_variables_that_it_comes_after>;

template <class Event>
    requires(!is_event<Event>)
auto wait(Event) -> decltype(mistake_of<struct wait_call, Event>(diagnose_event<wait_for_event, Event>()));
template <class... A>
auto wait(A const&...) -> mistake<arguments_are_not_those_of<wait_for_event, A...>, write_wait_of_an_event_and_mark_the_variables_that_come_after_it>;

template <class... A>
    requires(sizeof...(A) > 0)
auto barrier(A const&...) -> decltype(mistake_of<struct barrier_call, A...>(wrong_arguments<order_all, A...>()));

}  // namespace cograph::core::nodes
