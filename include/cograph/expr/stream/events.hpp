// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cograph/expr/refused/stream/events.hpp>

namespace cograph::core {

// An event as a node. By itself it is a full barrier; called with variables and their access modes, it is ordered
// against nodes that use these.
template <class Rule, class Event>
struct event_node : form_node<Rule, Event> {
    template <class... M>
        requires is_fine<decltype(diagnose_access_modes<Rule, M...>())>
    constexpr form_node<Rule, Event, M...> operator()(M...) const {
        return {{this->records[0]}, with_access_modes<M...>()};
    }

    // Refused calls.
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

}  // namespace cograph::core

// Apart from core, which has other things of these names.
namespace cograph::core::nodes {

// Records an event, a cudaEvent_t or a value variable of one, when all nodes before it are done. With in(x) it waits
// only for the nodes before it that write x, with inout(x) for those that use x: record(e)(inout(x)). Simulation passes over it.
template <class Event>
    requires is_event<Event>
constexpr auto record(Event event, const char* file = __builtin_FILE(), unsigned line = __builtin_LINE()) {
    return make_event_node<record_event>(event, file, line);
}

// Waits for an event: everything after it runs when the event has happened; wait(e)(out(x)): only users of x wait.
// Simulation ignores it.
template <class Event>
    requires is_event<Event>
constexpr auto wait(Event event, const char* file = __builtin_FILE(), unsigned line = __builtin_LINE()) {
    return make_event_node<wait_for_event>(event, file, line);
}

// Everything before it in its region is done before anything after it begins.
constexpr form_node<order_all> barrier(const char* file = __builtin_FILE(), unsigned line = __builtin_LINE()) {
    return {{{nullptr, file, line, {}}}, {}};
}

}  // namespace cograph::core::nodes
