// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cograph/expr/control/order.hpp>
#include <cograph/plan/refused/names.hpp>
#include <cograph/plan/refused/plan_reasons.hpp>

namespace cograph::core {

// The mistake in a run, a simulation, an update or a question about a scalar after it.

// The first temp that is read before it is written, or all of it is, and the node that reads it.
template <bool IsPartlyWritten, class V, class N>
constexpr auto temp_is_read(word<V>, word<N>) {
    if constexpr (IsPartlyWritten)
        return temp_is_only_partly_written<V, N>{};
    else
        return temp_read_before_written<V, N>{};
}
template <class E>
constexpr auto diagnose_temps() {
    constexpr const plan_view& plan = plan_of<E>::view;
    constexpr int first = first_unwritten_temp(plan);
    if constexpr (first < 0)
        return fine{};
    else
        return temp_is_read<plan.variables[first].written_by_then != not_written>(
            name_of_variable<E, first>(), name_of(node_at<plan.nodes[plan.variables[first].first_reader].leaf>(word<E>{})));
}

// The first host buffer that is read at launch, before the expression writes it.
template <class V>
constexpr auto read_at_launch(word<V>) {
    return pageable_memory_is_read_at_launch<V>{};
}
template <class E>
constexpr auto diagnose_sources() {
    constexpr int first = first_stale_source(plan_of<E>::view);
    if constexpr (first < 0)
        return fine{};
    else
        return read_at_launch(name_of_variable<E, first>());
}

// The first variable of memory that the run would own, and could not align.
template <class V>
constexpr auto aligned_too_far(word<V>) {
    return alignment_is_above_256_bytes<V>{};
}
template <class E, class Bound>
constexpr auto diagnose_alignment() {
    constexpr int first = first_overaligned(plan_of<E>::view, Bound::view);
    if constexpr (first < 0)
        return fine{};
    else
        return aligned_too_far(name_of_variable<E, first>());
}

// The first node that simulate cannot run.
template <class F>
constexpr auto no_host_implementation_of(word<F>) {
    return no_host_implementation<F>{};
}
template <class E>
constexpr auto diagnose_host_implementations() {
    constexpr int first = first_device_only(plan_of<E>::view);
    if constexpr (first < 0)
        return fine{};
    else
        return no_host_implementation_of(name_of(node_at<first>(word<E>{})));
}

template <class T>
constexpr auto why_no_binding(word<T>) {
    if constexpr (expression<T>)
        return without_seq(first_name(static_cast<const T*>(nullptr)));
    else
        return not_a_binding<T>{};
}

// The first variable that decides a loop or branch with collectives, and may differ between ranks.
template <class V>
constexpr auto decided_by_own(word<V>) {
    return ranks_decide_by_their_own<V>{};
}

// All that is wrong with a run of E with these bindings.
template <class E, class... B>
constexpr auto diagnose_run() {
    constexpr list<B...> all;
    constexpr int no_binding = first_true<!binding<B>...>();
    if constexpr (no_binding < static_cast<int>(sizeof...(B)))
        return why_no_binding(word_at<no_binding>(all));
    else if constexpr (constexpr int own = first_own_decision(plan_of<E>::view).variable; own >= 0)
        return decided_by_own(name_of_variable<E, own>());
    else
        return join(list<>{}, diagnose_temps<E>(), diagnose_sources<E>(), diagnose_alignment<E, bindings_of<B...>>(),
                    about<unbound_variable>(unbound_names<E, bindings_of<B...>, first_unbound(plan_of<E>::view, bindings_of<B...>::view)>(list<>{})),
                    diagnose_bindings<variable_bound_twice, E, &first_repeated>(all), diagnose_bindings<unknown_variable, E, &first_unknown>(all),
                    diagnose_bindings<bound_memory_is_const, E, &first_const>(all));
}
// The same for an update: variables that it does not name stay bound.
template <class E, class... B>
constexpr auto diagnose_update() {
    constexpr list<B...> all;
    constexpr int no_binding = first_true<!binding<B>...>();
    if constexpr (no_binding < static_cast<int>(sizeof...(B)))
        return why_no_binding(word_at<no_binding>(all));
    else
        return join(list<>{}, diagnose_bindings<variable_bound_twice, E, &first_repeated>(all), diagnose_bindings<unknown_variable, E, &first_unknown>(all),
                    diagnose_bindings<bound_memory_is_const, E, &first_const>(all));
}
template <class E, class... B>
constexpr auto diagnose_simulation() {
    return join(list<>{}, diagnose_host_implementations<E>(), diagnose_run<E, B...>());
}

// Whether a variable's value can be asked for after a run.
template <class E, class V>
constexpr auto diagnose_fetch() {
    if constexpr (!variable<V>)
        return not_a_variable<V>{};
    else if constexpr (V::kind != variable_kind::scalar)
        return only_scalars_are_fetched<V>{};
    else if constexpr (!knows_variable<E, V>)
        return variable_is_not_in_the_expression<V>{};
    else
        return fine{};
}

}  // namespace cograph::core
