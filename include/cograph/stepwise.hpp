// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cograph/host/refused/stepwise.hpp>
#include <cograph/host/simulate.hpp>

#include <span>
#include <type_traits>

// Simulation node by node, for looking at variables while an expression runs. cograph.hpp does not include this.

namespace cograph::core {

// A loop or branch around a step.
struct enclosure {
    place where;
    bool is_loop;
    index_t iteration;  // of a loop, from 0
    int body;      // of a branch: which of its bodies runs, from 0
};

// A node that has just run, or a condition that was just found, in a simulation; and every variable as it is then.
template <class E>
class step {
public:
    step(const frame& f, const plan_node& r, const iteration_counter& counter, index_t number)
        : f_(f), node_(r), iterations_(counter), where_(place_of(f, r)), number_(number) {}

    // Its label or name, file and line; of a condition, those of its loop or branch.
    const place& where() const { return where_; }
    bool is_condition() const { return node_.kind == plan_node_kind::condition; }
    // How many steps came before it in this run.
    index_t number() const { return number_; }

    // Whether it is the node that a selector names, or the condition of that loop or branch.
    template <class S>
        requires selectable<E, S>
    bool is(S) const {
        return node_.leaf == plan_of<E>::view.nodes[select<E, S>().node].leaf;
    }

    // How many loops and branches are around it, and which; 0 is the innermost.
    int depth() const {
        int depth = 0;
        for (int region = node_.region; f_.plan.regions[region].owner >= 0; region = owner(region).region) ++depth;
        return depth;
    }
    enclosure around(int level) const {
        const plan_node* inner = &node_;
        for (; level > 0; --level) inner = &owner(inner->region);
        const plan_node& r = owner(inner->region);
        return {place_of(f_, r), is_loop(r.control), is_loop(r.control) ? iterations_.iteration_of(*inner) : 0, inner->region - r.first_region};
    }
    // The iteration of the innermost loop around it, from 0; 0 outside of loops.
    index_t iteration() const {
        for (int level = 0, count = depth(); level < count; ++level)
            if (const enclosure e = around(level); e.is_loop) return e.iteration;
        return 0;
    }

    // The elements of a buffer, a temp or host memory. Before a temp is written, they mean nothing.
    template <class V>
        requires is_fine<decltype(diagnose_look<E, V, true>())>
    std::span<const typename V::element> span(V) const {
        const slot& s = slot_of<V>();
        return {static_cast<const typename V::element*>(s.pointer), s.count};
    }

    // A scalar, a value or a view.
    template <class V>
        requires is_fine<decltype(diagnose_look<E, V, false>())>
    const typename V::element& value(V) const {
        const slot& s = slot_of<V>();
        return *static_cast<const typename V::element*>(by_value<V> ? s.object : s.pointer);
    }

    // Refused calls.
    template <class S>
    auto is(S) const -> decltype(mistake_of<struct step_is_query, E, S>(diagnose_selectors<E>(S{})));
    template <class V>
    auto span(V) const -> decltype(mistake_of<struct step_span_query, E, V>(diagnose_look<E, V, true>()));
    template <class V>
    auto value(V) const -> decltype(mistake_of<struct step_value_query, E, V>(diagnose_look<E, V, false>()));

private:
    const plan_node& owner(int region) const { return f_.plan.nodes[f_.plan.regions[region].owner]; }
    template <class V>
    const slot& slot_of() const {
        int v = 0;
        while (f_.plan.variables[v].info != &info_of<typename V::tag>) ++v;
        return f_.slots[v];
    }

    const frame& f_;
    const plan_node& node_;
    const iteration_counter& iterations_;
    place where_;
    index_t number_;
};

// Calls a function after each node.
template <class E, class F>
class stepping_watch {
public:
    stepping_watch(const frame& f, F& callback) : f_(f), iterations_(f.plan), callback_(callback) {}

    void before(const plan_node&) {}
    bool after(const plan_node& r) {
        const bool goes_on = call(step<E>(f_, r, iterations_, number_++));
        iterations_.saw(r);
        return goes_on;
    }

private:
    bool call(const step<E>& now) {
        if constexpr (std::is_void_v<decltype(callback_(now))>) {
            callback_(now);
            return true;
        } else {
            return callback_(now);
        }
    }

    const frame& f_;
    iteration_counter iterations_;
    F& callback_;
    index_t number_ = 0;
};

// Runs an expression on the host like simulate, and calls callback(step) after every node and condition. If it
// returns bool, false ends the run there. Returns whether the run reached its end.
template <class E, class F, class... B>
    requires is_fine<decltype(diagnose_stepping<E, F, B...>())>
bool simulate_stepwise(E const& e, F callback, B... bindings) {
    return simulate_watched(e, [&](const frame& f) { return stepping_watch<typename E::self, F>(f, callback); }, bindings...);
}

}  // namespace cograph::core

namespace cograph {

using core::simulate_stepwise;

}  // namespace cograph
