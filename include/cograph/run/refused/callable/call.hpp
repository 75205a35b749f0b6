// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cograph/expr/stream/capture_style.hpp>
#include <cograph/plan/refused/run.hpp>
#include <cograph/run/callable/argument_list.hpp>
#include <cograph/run/refused/callable/call_reasons.hpp>

namespace cograph::core {

// Refused calls of arguments and of a call that replays a graph.

template <class M>
inline constexpr bool is_accessed_temp = false;
template <access_argument M>
inline constexpr bool is_accessed_temp<M> = M::variable::kind == variable_kind::temp;
template <class V>
constexpr temp_is_no_argument_of_a_call<V> temp_is_given(word<V>) {
    return {};
}
template <class... Seen>
constexpr auto diagnose_argument_list(list<Seen...>, list<>) {
    return arguments_of_a_call_are_marked<Seen...>{};
}
template <class... Seen, class M, class... Rest>
constexpr auto diagnose_argument_list(list<Seen...>, list<M, Rest...>) {
    if constexpr (is_accessed_temp<M>)
        return temp_is_given(decltype(variable_of(static_cast<const M*>(nullptr))){});
    else
        return diagnose_argument_list(list<Seen..., M>{}, list<Rest...>{});
}
template <class... Found>
constexpr auto repeated_arguments(list<Found...> found, list<>) {
    return found;
}
template <class... Found, class V, class... Rest>
constexpr auto repeated_arguments(list<Found...> found, list<V, Rest...>) {
    if constexpr ((std::is_same_v<V, Rest> || ...) && !(std::is_same_v<V, Found> || ...))
        return repeated_arguments(found + word<V>{}, list<Rest...>{});
    else
        return repeated_arguments(found, list<Rest...>{});
}
template <class... M>
constexpr auto diagnose_arguments() {
    if constexpr (!(is_call_argument<M> && ...))
        return diagnose_argument_list(list<>{}, list<M...>{});
    else
        return about<variable_is_an_argument_twice>(repeated_arguments(list<>{}, list<typename M::tag...>{}));
}

template <class... M>
    requires(!is_fine<decltype(diagnose_arguments<M...>())>)
auto arguments(M...) -> decltype(mistake_of(diagnose_arguments<M...>()));

// The mistake in an argument V, in mode How, of a call of E with these bindings.
template <class E, access_mode How, class... B, class V>
constexpr auto diagnose_call_argument(word<V>) {
    if constexpr (!knows_variable<E, V>)
        return unknown_variable<V>{};
    else if constexpr (!(std::is_same_v<V, typename B::tag> || ...))
        return unbound_variable<V>{};
    else if constexpr (planned<E, V>().written && !writes(How))
        return argument_is_written<V>{};
    else if constexpr (planned<E, V>().read_first && !reads(How))
        return argument_is_read<V>{};
    else if constexpr (!planned<E, V>().always_written && !reads(How))
        return argument_may_stay_unwritten<V>{};
    else
        return fine{};
}
template <class E, class... M, class... B>
constexpr auto diagnose_callable(argument_list<M...>, list<B...>) {
    if constexpr (!can_run<E, B...>)
        return diagnose_run<E, B...>();
    else
        return join(list<>{}, diagnose_call_argument<E, M::describe.access, B...>(decltype(variable_of(static_cast<const M*>(nullptr))){})...);
}

// The mistake in an update of a call's graph.
template <class E, class... M, class... B>
constexpr auto diagnose_update_behind_call(list<B...>) {
    constexpr int first = first_true<is_argument_of<B, M...>...>();
    if constexpr (first < static_cast<int>(sizeof...(B)))
        return about<argument_of_a_call_is_rebound>(list<>{} + name_of_binding(word_at<first>(list<B...>{})));
    else
        return diagnose_update<E, B...>();
}

// How sentences about a call name its arguments: as the variables they are.
template <class V>
word<V> name_of_argument(word<V>);
template <class M>
constexpr auto argument_word(const M* m) {
    return decltype(name_of_argument(variable_of(m))){};
}
template <class M>
constexpr auto argument_element(const M* m) {
    return element_word(decltype(variable_of(m)){});
}

// The argument of a call, without its reference but with its const.
template <class T>
constexpr word<T> referred(word<T>) {
    return {};
}
template <class T>
constexpr word<T> referred(word<T&>) {
    return {};
}

// Memory that is no span of a variable's elements: because of their type, or of the container that has them.
template <bool Written, class Name, class Element, class T, class Bare>
constexpr auto diagnose_given_elements(word<Name>, word<Element>, word<T>, word<Bare>) {
    if constexpr (!std::is_same_v<std::remove_const_t<T>, Element>)
        return elements_differ<Name, holds_elements_of<Element>, bound_to<T>>{};
    else if constexpr (Written && std::is_const_v<T>)
        return bound_memory_is_const<Name>{};
    else
        return container_owns_memory<Name, Bare>{};
}
template <bool Written, class Name, class Element, class Given, class Bare>
constexpr auto diagnose_given_memory(word<Name> name, word<Element> element, word<Given>, word<Bare> bare_given) {
    if constexpr (std::is_array_v<Given>)
        return diagnose_given_elements<Written>(name, element, decltype(pointee_of(std::declval<Given&>())){}, bare_given);
    else if constexpr (contiguous<Given>)
        return diagnose_given_elements<Written>(name, element, decltype(pointee_of(std::declval<Given&>().data())){}, bare_given);
    else
        return diagnose_range<Name, Element>(bare_given);
}
template <class Name, class T, class Bare>
constexpr auto diagnose_given_value(word<Name>, word<T>, word<Bare> given) {
    return diagnose_value<Name, T>(given);
}
template <class Name, class Bare>
constexpr auto diagnose_given_scalar(word<Name>, word<Bare>) {
    return scalar_needs_a_span<Name, Bare>{};
}
// A&& for the argument M of a call.
template <class M, class A>
constexpr auto diagnose_given(const M* m, word<A> given) {
    if constexpr (std::is_convertible_v<A, call_type<M>>)
        return fine{};
    else if constexpr (by_value<typename M::variable>)
        return diagnose_given_value(argument_word(m), argument_element(m), bare<A>{});
    else if constexpr (M::variable::kind == variable_kind::scalar && !contiguous<A> && !std::is_array_v<std::remove_reference_t<A>>)
        return diagnose_given_scalar(argument_word(m), bare<A>{});
    else
        return diagnose_given_memory<writes(M::describe.access)>(argument_word(m), argument_element(m), referred(given), bare<A>{});
}

// Whether a call may begin with it: a stream, or the 0 that stands for one.
template <class T>
inline constexpr bool is_stream = std::is_convertible_v<T, stream_handle> || std::is_same_v<T, int>;

// The mistake in a call with A&&...
template <class... M>
constexpr auto diagnose_call(argument_list<M...>, list<>) {
    return stream_is_missing<callable_call>{};
}
template <int Given, class... Name>
constexpr auto other_number(word<Name>...) {
    return argument_count_differs<call_after_its_stream<Name...>, takes_parameters<sizeof...(Name)>, given_arguments<Given>>{};
}
template <class... M, class Stream, class... A>
constexpr auto diagnose_call(argument_list<M...>, list<Stream, A...>) {
    if constexpr (!is_stream<Stream>)
        return stream_is_missing<callable_call>{};
    else if constexpr (sizeof...(A) != sizeof...(M))
        return other_number<sizeof...(A)>(argument_word(static_cast<const M*>(nullptr))...);
    else
        return join(list<>{}, diagnose_given(static_cast<const M*>(nullptr), word<A>{})...);
}

}  // namespace cograph::core
