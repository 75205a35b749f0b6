// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cograph/plan/lowering/lower.hpp>
#include <cograph/plan/report/loop_report.hpp>
#include <cograph/run/graph/initial_scalars.cuh>
#include <cograph/run/graph/launch_order.cuh>

#include <bit>

namespace cograph::core {

template <class B>
inline constexpr bool is_value_binding = requires(B b) { b.value; };
// While nvcc compiles for the device it needs no plan.
#if defined(__CUDA_ARCH__)
template <class E>
inline constexpr int may_own = 3;
#else
template <class E>
inline constexpr int may_own = may_own_memory(plan_of<E>::view) + 2 * has_initial_values(plan_of<E>::view);  // memory, and values that are not bound
#endif

template <class B>
void note_updatable(const frame& f, bool* updatable, B const&) {
    for (int v = 0; is_device_updatable<B> && v < f.plan.count.named; ++v)
        if (f.plan.variables[v].info == &info_of<typename B::tag>) updatable[v] = true;
}

// Whether the extents of a run may ask for another graph of an expression.
template <class E>
inline constexpr bool may_be_another_graph = has_persistent(E::tree) || asks_for_equal_boxes(E::tree);
// Calls make.operator()<Other>() if they ask for another one than Lowered. Returns whether they do.
template <class E, class Lowered, class Make>
bool makes_another_graph(const frame& f, Make const& make) {
    if constexpr (has_persistent(E::tree) && std::is_same_v<Lowered, lowered<E>> && !persists_always(E::tree)) {
        if constexpr (has_passes(E::tree)) {
            const bool is_beyond = is_beyond_caches(f, when_all_pay(E::tree));
            if (!(is_beyond && passes_in_all_loops(E::tree)) && !is_too_large(f)) return false;
            if (!is_beyond) {
                make.template operator()<lowered<E, graph_in_caches<E>>>();
                return true;
            }
        } else if (!is_too_large(f)) {
            return false;
        }
        make.template operator()<lowered<E, graph_of_many<E>>>();
        return true;
    } else if constexpr (has_persistent(E::tree) && has_passes(E::tree) && has_boxes_of_numbers(E::tree) && std::is_same_v<Lowered, lowered<E, graph_for::many_elements>>) {
        if (has_equal_boxes(f)) return false;
        make.template operator()<lowered<E, graph_in_caches<E>>>();
        return true;
    } else if constexpr (asks_for_equal_boxes(E::tree) && std::is_same_v<Lowered, lowered<E, graph_for::many_in_equal_boxes>>) {
        if (has_equal_boxes(f)) return false;
        make.template operator()<lowered<E, graph_of_unequal<E>>>();
        return true;
    }
    return false;
}

// An expression as a CUDA graph. Move-only. Launches of one executable run one after another; memory that is bound to it must
// live as long as its launches. Threads may use different executables at once, but one of them by one thread at a time: guard it by a mutex.
template <class E>
class executable : public graph_run {
public:
    // Waits for the last launch and copies a scalar to the host.
    template <class V>
        requires is_fine<decltype(diagnose_fetch<E, V>())>
    typename V::element fetch(V) const {
        struct {
            alignas(typename V::element) unsigned char all[sizeof(typename V::element)];
        } bytes{};
        fetch_memory(&info_of<typename V::tag>, bytes.all);
        return std::bit_cast<typename V::element>(bytes);  // which need not have a default constructor
    }

    // The report of the loops in the last launch, for which these wait.
    loop_report<E> loops() const {
        loop_report<E> report;
        fetch_loops(report.loops);
        report.read_labels(state().f.records);
        return report;
    }
    using graph_run::ended_by;
    using graph_run::entries;
    using graph_run::iterations;
    template <class S>
        requires(!std::is_convertible_v<S, const char*>)
    auto iterations(S loop) const -> decltype(loop_report<E>{}.iterations(loop)) {
        return loops().iterations(loop);
    }
    template <class S>
        requires(!std::is_convertible_v<S, const char*>)
    auto entries(S loop) const -> decltype(loop_report<E>{}.entries(loop)) {
        return loops().entries(loop);
    }
    template <class S>
        requires(!std::is_convertible_v<S, const char*>)
    auto ended_by(S loop) const -> decltype(loop_report<E>{}.ended_by(loop)) {
        return loops().ended_by(loop);
    }

    // Leaves one node, named by a selector, out of the launches that follow, or takes it in again. Throws error when it is part
    // of a persistent kernel.
    template <switchable_in<E> S>
    void disable(S) {
        turn({nullptr, &selected_node<E, S>()}, false, reinterpret_cast<const void*>(&do_nothing<1>));
    }
    template <switchable_in<E> S>
    void enable(S) {
        turn({nullptr, &selected_node<E, S>()}, true);
    }
    template <switchable_in<E> S>
    bool is_enabled(S) const {
        return is_on(selected_node<E, S>());
    }
    using graph_run::disable;
    using graph_run::enable;

    // Rebinds some variables for later launches: exec.update(x(other), tol(1e-9)). Extents may change too. Running
    // launches are not disturbed. Throws like instantiate; then nothing has changed.
    template <class... B>
        requires can_update<E, B...>
    void update(B... bindings) {
        rebinding change(state());
        (bind(state().f, &info_of<typename B::tag>, bindings), ...);
        change.commit();
    }

    // The graph of e as Lowered plans it; without its own graph if it is only to join others.
    template <class Lowered, expression E_, class... B>
    static executable make(memory_choice const& memory, bool makes_graph, E_ const& e, B const&... bindings) {
        static_assert(!has_host_driven(E_::tree), "include <cograph/host_driven.cuh>: the host drives a loop of this expression");
        E* const kept = new E(static_cast<E const&>(e));
        executable made(plan_to_run<Lowered, E>(), heap_object(kept, &end_object<E>), kept->records);
        graph_state& s = made.state();
        fill_frame(s.f, *kept, bindings...);
        if constexpr (may_be_another_graph<E>)
            if (makes_another_graph<E, Lowered>(s.f, [&]<class Other>() { made = make<Other>(memory, makes_graph, e, bindings...); })) return made;
        collect_kernels(kernels_of<to_graph, list<>, list<Lowered>>::entries, s.kernels);
        if constexpr (may_merge(Lowered::tree)) s.merged = merged_tables_of<Lowered>();
        if constexpr ((is_device_updatable<B> || ...)) {
            (note_updatable(s.f, s.updatable, bindings), ...);
            static const device_update_code code{reinterpret_cast<const void*>(&update_nodes<device_update_threads>), &device_update_plan::begin, &device_update_plan::note_node, &device_update_plan::end};
            s.device_updates = &code;
        }
        if constexpr (loop_report<E>::count > 0) {
            const record* first = kept->records;
            const char** to = s.labels;
            label_loops(E::tree, first, to);
        }
        if constexpr (has_initial_scalars(Lowered::tree)) s.begin = &add_initial_scalars<initial_bytes_of<Lowered>>;
        graph_needs needs;
        needs.makes_graph = makes_graph;
        if constexpr (has_control(Lowered::tree)) {
            needs.check_driver = &check_driver;
            needs.serialize_launches = &serialize_launches;
            s.nothing = reinterpret_cast<const void*>(&do_nothing<1>);
        }
        if constexpr ((is_value_binding<B> || ...) || may_own<Lowered> >= 2) needs.own_values = &own_values;
        if constexpr (may_own<Lowered> % 2 == 1) needs.take_memory = &take_memory;
        made.complete(memory, needs);
        return made;
    }

    // Refused calls.
    template <class V>
    auto fetch(V) const -> decltype(mistake_of<struct fetch_call, E, V>(diagnose_fetch<E, V>()));
    template <no_label S>
    auto disable(S) -> decltype(mistake_of<struct disable_call, E, S>(diagnose_switch<E, S>()));
    template <no_label S>
    auto enable(S) -> decltype(mistake_of<struct enable_call, E, S>(diagnose_switch<E, S>()));
    template <no_label S>
    auto is_enabled(S) const -> decltype(mistake_of<struct is_enabled_query, E, S>(diagnose_switch<E, S>()));
    template <class... B>
        requires(!can_update<E, B...>)
    auto update(B...) -> decltype(mistake_of<struct update_call, E, B...>(diagnose_update<E, B...>()));
    // nvcc calls it if an argument is a mistake, and then reports nothing more.
    template <class... B>
    void update(B...);

private:
    friend struct made_frame;  // the questions of lowering_queries.cuh

protected:
    using graph_run::graph_run;
};

// decltype(e) of a constexpr e.
template <class E>
class executable<const E> {
    static_assert(!std::is_same_v<E, E>, "write executable<decltype(e)::self>: the type of a constexpr e is const, and that of its executable is not");
};

// Makes a graph of an expression, once: auto exec = instantiate(solve, x(span), tol(1e-6)); exec.launch(stream).
// Loops of library nodes run as one kernel each, unless they run over more than 2^22 elements. Their small branches
// are predicated kernels, other small loops are unrolled, and nodes may share kernels. instantiate(as_nodes(solve),
// ...) makes a kernel of every node instead. Temps are in memory of a pool, a resource or two functions if one is
// given: instantiate(solve, use(pool), ...). Throws error if extents or memory do not fit, cuda_error if a call
// fails; then nothing is left.
template <expression E, class... B>
executable<typename E::self> instantiate(E const& e, memory_choice memory, B... bindings) {
    return executable<typename E::self>::template make<lowered<typename E::self>>(memory, true, e, bindings...);
}
template <expression E, class... B>
executable<typename E::self> instantiate(E const& e, B... bindings) {
    return executable<typename E::self>::template make<lowered<typename E::self>>({}, true, e, bindings...);
}

}  // namespace cograph::core
