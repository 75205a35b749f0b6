// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cograph/expr/function/calls.hpp>
#include <cograph/expr/reasons/control_reasons.hpp>
#include <cograph/expr/reasons/box_reasons.hpp>
#include <cograph/expr/reasons/node_reasons.hpp>
#include <cograph/expr/refused/function/array_forms.hpp>
#include <cograph/expr/refused/naming.hpp>

#include <utility>

namespace cograph::core {

// Why a function object cannot be called by a node.

template <class M>
constexpr auto arrival(const reference_to<M>*) {
    constexpr arrives_as form = by_value<typename M::variable> ? arrives_as::value : arrives_as::reference;
    return arrival_of<form, !writes(M::describe.access)>(element_word(decltype(variable_of(static_cast<const M*>(nullptr))){}));
}

template <class F, int Position, class P, class A>
constexpr auto lost_write(word<P>, word<A>) {
    if constexpr (kind_of_parameter<P> == parameter_kind::leads_to_const)
        return writes_through_const<F, at_parameter<Position, P>, A>{};
    else
        return write_is_lost<F, at_parameter<Position, P>, A>{};
}
template <class F, int Lead, class... A>
constexpr auto diagnose_lost_write(list<A...> arguments) {
    constexpr int at = first_lost_write<F, Lead, A...>;
    return lost_write<F, Lead + at + 1>(word_at<Lead + at>(known_parameters<F>()), word_at<at>(arguments));
}

template <class F, int Position, class V, access_mode Access>
constexpr auto not_for_the_device(const accessed<V, Access>*) {
    return device_code_takes_host_memory<F, V>{};
}
template <class F, int Position, class V, class T>
constexpr auto lacks_access_mode(word<T>) {
    return access_mode_is_missing<F, at_parameter<Position, T>, V>{};
}
template <class F, int Position, class V>
constexpr auto not_for_the_device(const unmarked<V>*) {
    if constexpr (misnamed<V>)
        return diagnose_tag<V>();
    else
        return lacks_access_mode<F, Position, V>(element_word(word<V>{}));
}
// The first argument that code of the device may not be given; A arrives at parameter Position of F.
template <class F, int Position, class A, class... Rest>
constexpr auto first_on_the_host() {
    if constexpr (is_for_the_device<A>)
        return first_on_the_host<F, Position + 1, Rest...>();
    else
        return not_for_the_device<F, Position>(static_cast<const A*>(nullptr));
}
// If a call fails because read-only arguments arrive const: the first argument that must be marked as written, or -1.
// Lead values arrive before the arguments.
template <class F, int But, class Numbers, class... T>
inline constexpr bool takes_all_but = false;
template <class F, int But, int... I, class... T>
inline constexpr bool takes_all_but<F, But, std::integer_sequence<int, I...>, T...> =
    takes_values<F, std::conditional_t<I == But, T, typename without_const<T>::type>...>;
template <class F, int Lead, class... T, int... I>
constexpr int first_only_read(std::integer_sequence<int, I...>) {
    using numbers = std::integer_sequence<int, I...>;
    if (!takes_all_but<F, -1, numbers, T...>) return -1;
    int first = -1;
    ((first < 0 && I >= Lead && !takes_all_but<F, I, numbers, T...> ? void(first = I - Lead) : void()), ...);
    return first;
}
template <class F, class V>
constexpr auto only_read(word<V>) {
    return argument_is_only_read<F, V>{};
}
template <class F, class M>
constexpr auto mark_is_in(word<M>) {
    return only_read<F>(decltype(variable_of(static_cast<const M*>(nullptr))){});
}
template <class F, class... Given, class... T>
constexpr auto not_called(word<F>, list<Given...>, word<T>...) {
    return function_cannot_be_called<F, called_with<Given...>, arriving_as<T...>>{};
}
// Lead -1: the call is one of a predicate, which may write nothing.
template <class F, int Lead, class... A, class... T>
constexpr auto call_fails(list<A...> arguments, word<T>...) {
    if constexpr ((is_given_formula<A> || ...))
        return given_formula(word<F>{}, word_at<first_true<is_given_formula<A>...>()>(arguments));
    else if constexpr ((is_given_expression<A> || ...))
        return given_expression(word<F>{}, word_at<first_true<is_given_expression<A>...>()>(arguments));
    else if constexpr (requires(F& f) { f(std::declval<T>()...); })
        return call_operator_is_not_const<F>{};
    else if constexpr (Lead >= 0 && first_only_read<F, Lead, T...>(std::make_integer_sequence<int, sizeof...(T)>{}) >= 0)
        return mark_is_in<F>(word_at<first_only_read<F, Lead, T...>(std::make_integer_sequence<int, sizeof...(T)>{})>(arguments));
    else if constexpr ((is_host_value<A> || ...))
        return not_called(word<F>{}, (list<>{} + ... + decltype(shown_word(static_cast<const A*>(nullptr))){}), word<T>{}...);
    else
        return function_cannot_be_called<F, called_with<A...>, arriving_as<T...>>{};
}
// The same for a node that calls F for each element, with leading values before the arguments.
template <class Mistake>
inline constexpr bool is_any_failed_call = false;
template <class F, class Given, class Arriving>
inline constexpr bool is_any_failed_call<function_cannot_be_called<F, Given, Arriving>> = true;
template <class F, class... A, class... T>
constexpr auto element_call_fails(list<A...> arguments, word<T>... leading) {
    using known = decltype(call_fails<F, sizeof...(T)>(arguments, leading..., arrival(static_cast<const A*>(nullptr))...));
    using numbers = std::make_integer_sequence<int, sizeof...(A)>;
    if constexpr (!is_any_failed_call<known> || !call_in_other_forms<F, list<T...>, numbers, A...>::has_form)
        return known{};
    else
        return diagnose_forms<F, list<T...>>(arguments, numbers{});
}
template <class F, class T>
constexpr auto not_copied(word<F>, const given<T>*) {
    return argument_is_not_trivially_copyable<F, T>{};
}
template <class F, class A>
constexpr auto not_copied(word<F> f, word<A>) {
    return not_copied(f, static_cast<const A*>(nullptr));
}
template <class F, class... A>
constexpr auto diagnose_passing() {
    if constexpr (is_pointer<F>)
        return not_a_function_object<F>{};
    else if constexpr (is_for_one_side<F>)
        return lambda_is_for_one_side_only<F>{};
    else if constexpr (!is_function_object<F>)
        return argument_is_not_trivially_copyable<F, F>{};
    else if constexpr (passing_to<F, A...>::first_uncopied < static_cast<int>(sizeof...(A)))
        return not_copied(word<F>{}, word_at<passing_to<F, A...>::first_uncopied>(list<A...>{}));
    else if constexpr (sizeof...(A) > most_arguments)
        return too_many_parameters<F, takes_parameters<sizeof...(A)>, limit_is<most_arguments>>{};
    else if constexpr (!passing_to<F, A...>::fits)
        return parameters_are_too_large<F, parameter_bytes<passing_to<F, A...>::bytes>, limit_is<most_argument_bytes>>{};
    else
        return fine{};
}

template <class F, class V>
constexpr all_elements_change_one_scalar<F, V> shares_scalar(word<V>) {
    return {};
}
template <class F, class M>
constexpr auto diagnose_shared_scalar(word<M>) {
    return shares_scalar<F>(decltype(variable_of(static_cast<const M*>(nullptr))){});
}

template <class F, class Result>
constexpr auto loses_result(word<Result>) {
    return result_is_lost<F, Result>{};
}
template <class F, class V>
constexpr auto sees_neighbours(word<V>) {
    return neighbours_are_for_for_each_and_transform_reduce<F, V>{};
}
template <class F, class M>
constexpr auto diagnose_neighbours(word<M>) {
    return sees_neighbours<F>(decltype(variable_of(static_cast<const M*>(nullptr))){});
}
template <class F, class... A>
constexpr auto diagnose_element_call() {
    if constexpr (((A::describe.near != nullptr) || ...))
        return diagnose_neighbours<F>(word_at<first_true<(A::describe.near != nullptr)...>()>(list<A...>{}));
    else if constexpr (!(is_for_the_device<A> && ...))
        return first_on_the_host<F, 2, A...>();
    else if constexpr (callable_with<F, index_t, A...> && first_lost_write<F, 1, A...> >= 0)
        return diagnose_lost_write<F, 1>(list<A...>{});
    else if constexpr (callable_with<F, index_t, A...> && (is_shared_scalar(A::describe) || ...))
        return diagnose_shared_scalar<F>(word_at<first_true<is_shared_scalar(A::describe)...>()>(list<A...>{}));
    else if constexpr (callable_with<F, index_t, A...>)
        return diagnose_passing<F, A...>();
    else
        return element_call_fails<F>(list<A...>{}, word<index_t>{});
}
template <class F, int Lead, class... A>
constexpr auto diagnose_one_call() {
    if constexpr (!(is_for_the_device<A> && ...))
        return first_on_the_host<F, 1, A...>();
    else if constexpr (visits_elements<A...>())
        return each_without_elements<F>{};
    else if constexpr (Lead >= 0 && callable_with<F, A...> && first_lost_write<F, Lead, A...> >= 0)
        return diagnose_lost_write<F, Lead>(list<A...>{});
    else if constexpr (callable_with<F, A...>)
        return diagnose_passing<F, A...>();
    else
        return call_fails<F, Lead>(list<A...>{}, arrival(static_cast<const A*>(nullptr))...);
}
template <class F, class... A>
constexpr auto diagnose_single_call() {
    if constexpr (!is_fine<decltype(diagnose_one_call<F, 0, A...>())> || writes_something<A...>)
        return diagnose_one_call<F, 0, A...>();
    else
        return loses_result<F>(word<result_of<F, typename call_value<A>::type...>>{});
}

}  // namespace cograph::core
