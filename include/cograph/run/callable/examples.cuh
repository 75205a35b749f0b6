// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cograph.cuh>
#include <cograph/run/callable/argument_list.hpp>
#include <cograph/run/callable/call_guard.cuh>

#include <type_traits>

namespace cograph::core {

// The bindings that a call was made with, and its arguments in their place.

template <class M, class B>
inline constexpr bool is_example = std::is_same_v<typename M::tag, typename B::tag>;

template <class M, class First, class... Rest>
constexpr const auto& example_of(const First& first, const Rest&... rest) {
    if constexpr (is_example<M, First>)
        return first;
    else
        return example_of<M>(rest...);
}

// Memory, or a value, in place of an example.
template <class Tag, class T>
range_binding<Tag, T> rebound(const range_binding<Tag, T>&, const given_memory& to) {
    return {{to.memory, to.bytes / sizeof(T)}};
}
template <class Tag, class T>
value_binding<Tag, T> rebound(const value_binding<Tag, T>&, const T& to) {
    return {to};
}

// A scalar is one element.
inline void check_one_element(const variable_info& scalar, std::size_t given) {
    if (given != 1) refuse(place_of(scalar), "is a scalar, and the call gives %lld elements: give a span of its one element", static_cast<long long>(given));
}

// An argument A of a call as a graph gets it: a value, or memory.
template <class A>
using slot_type = std::conditional_t<by_value<typename A::variable>, typename A::element, given_memory>;
template <class A>
slot_type<A> slot_of(const call_type<A>& given) {
    if constexpr (A::variable::kind == variable_kind::scalar) check_one_element(info_of<typename A::tag>, given.size());
    if constexpr (by_value<typename A::variable>)
        return given;
    else
        return {const_cast<typename A::element*>(given.data()), given.size_bytes()};
}
template <class A, class Example>
slot_type<A> slot_of_example(const Example& example) {
    if constexpr (by_value<typename A::variable>)
        return example.value;
    else
        return {const_cast<void*>(example.pointer), bytes_of(info_of<typename A::tag>, example.count)};
}

// Throws if a run of e with these bindings would, without a graph too; the checks of the device are those of run_on.
template <class E, class... B>
void check_bindings(const E& e, const B&... bindings) {
    frame f(plan_to_run<E>(), e.records);
    fill_frame(f, e, bindings...);
    const heap_array<const void*> kernels(f.plan.count.codes);
    collect_kernels(kernels_of<to_memory, typename E::codes, typename E::children>::entries, kernels.begin());
    driver_log log;
    check_machine(f, kernels.begin(), log);
}

}  // namespace cograph::core
