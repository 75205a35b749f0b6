// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cograph/expr/node/kernel_arguments.hpp>
#include <cograph/expr/reasons/node_reasons.hpp>
#include <cograph/expr/refused/naming.hpp>

namespace cograph::core {

// Why an argument cannot be passed to a kernel.

// How an argument arrives at a kernel: all memory by its address.
template <class A>
    requires(!access_argument<A> && !has_tag<A>)
constexpr auto kernel_arrival(const A* a) {
    return arrival(a);
}
template <class V, access_mode Access>
constexpr auto kernel_arrival(const accessed<V, Access>*) {
    return arrival_of<by_value<V> ? arrives_as::value : arrives_as::pointer, !writes(Access)>(element_word(word<V>{}));
}
template <class M>
constexpr auto kernel_arrival(const each_of<M>* a) {
    return arrival(a);
}
template <has_tag V>
constexpr auto kernel_arrival(const V*) {
    return arrival_of<by_value<V> ? arrives_as::value : arrives_as::pointer, false>(element_word(word<V>{}));
}

template <class A>
constexpr auto kernel_arrival_of(word<A>) {
    return decltype(kernel_arrival(static_cast<const A*>(nullptr))){};
}

template <int Position, class F, class P, class Given, class T>
constexpr auto unfit(word<F>, word<P>, word<Given>, word<T>) {
    return argument_does_not_fit<F, at_parameter<Position, P>, given_argument<Given, T>>{};
}

// The first argument that does not fit, as a reason.
template <int Position, class F, class P, class A, class T>
constexpr auto misfit(word<F>, word<P>, word<A>, word<T>) {
    if constexpr (misnamed<A>)
        return diagnose_tag<A>();
    else if constexpr (fit<P, A>::result == fitness::writes_const)
        return writes_through_const<F, at_parameter<Position, P>, A>{};
    else if constexpr (fit<P, A>::result == fitness::not_copied)
        return argument_is_not_trivially_copyable<F, P>{};
    else if constexpr (fit<P, A>::result == fitness::lacks_access_mode)
        return access_mode_is_missing<F, at_parameter<Position, P>, A>{};
    else if constexpr (fit<P, A>::result == fitness::on_the_host)
        return device_code_takes_host_memory<F, A>{};
    else if constexpr (is_host_value<as_argument_t<A>>)
        return unfit<Position>(word<F>{}, word<P>{}, decltype(shown_word(static_cast<const as_argument_t<A>*>(nullptr))){},
                               decltype(arrival(static_cast<const as_argument_t<A>*>(nullptr))){});
    else if constexpr (is_given_formula<given<A>>)
        return given_formula(word<F>{}, word<given<A>>{});
    else if constexpr (is_given_expression<given<A>>)
        return given_expression(word<F>{}, word<given<A>>{});
    else
        return argument_does_not_fit<F, at_parameter<Position, P>, given_argument<A, T>>{};
}
template <auto F, class... P, class... A>
constexpr auto diagnose_arguments(list<P...> parameters, list<A...> arguments) {
    constexpr int at = fitted<list<P...>, A...>::first_misfit;
    if constexpr (at == -1)
        return fine{};
    else if constexpr (at < 0)
        return argument_count_differs<kernel_function<F>, takes_parameters<sizeof...(P)>, given_arguments<sizeof...(A)>>{};
    else
        return misfit<at + 1>(word<kernel_function<F>>{}, word_at<at>(parameters), word_at<at>(arguments),
                                                                      kernel_arrival_of(word_at<at>(arguments)));
}

}  // namespace cograph::core
