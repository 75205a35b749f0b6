// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cograph.cuh>
#include <cograph/run/refused/callable/call.hpp>

#include <cstring>

namespace cograph::core {

// The graph of a call. Its launches may be on streams that no longer exist when it is changed. An update binds
// variables other than the call's arguments, and calls that run without the graph follow it.
template <class E, class... M>
class graph_of_calls : public executable<E> {
public:
    explicit graph_of_calls(executable<E>&& made) : executable<E>(static_cast<executable<E>&&>(made)) { mark_launches(this->state()); }

    template <class... B>
        requires(can_update<E, B...> && !(is_argument_of<B, M...> || ...))
    void update(B... bindings) {
        executable<E>::update(bindings...);
        is_bound_anew = true;
    }
    bool is_bound_anew = false;  // since the outputs of a call were last checked

    // A binding as it is now.
    template <class B>
    B now(B b) const {
        const frame& f = this->state().f;
        for (int v = 0; v < f.plan.count.named; ++v)
            if (f.plan.variables[v].info == &info_of<typename B::tag>) take(b, f.slots[v]);
        return b;
    }

    // Throws if nodes are disabled: a call without the graph runs them all.
    void check_complete() const {
        const graph_state& s = this->state();
        for (int r = 0; r < s.f.plan.count.nodes; ++r)
            if (s.switches.is_off(r))
                throw error(place_of(s.f, s.f.plan.nodes[r]), "is left out of the graph, and this call would run without the graph: enable it, or give such as the graph can take");
    }

    // Refused calls.
    template <class... B>
        requires(!can_update<E, B...> || (is_argument_of<B, M...> || ...))
    auto update(B...) -> decltype(mistake_of<struct update_call, E, B...>(diagnose_update_behind_call<E, M...>(list<B...>{})));
    template <class... B>
    void update(B...);  // as in executable

private:
    static void take(bound_range& b, const slot& from) {
        b.pointer = from.pointer;
        b.count = from.count;
    }
    static void take(bound_extent& b, const slot& from) { b.count = from.count; }
    template <class Tag, class T>
    static void take(value_binding<Tag, T>& b, const slot& from) {
        std::memcpy(&b.value, from.object, sizeof b.value);
    }
};

}  // namespace cograph::core
