// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cograph/expr/control/loop_options.hpp>
#include <cograph/expr/node/kernel.hpp>
#include <cograph/expr/refused/control/conditions.hpp>
#include <cograph/expr/refused/control/loop_rules.hpp>

namespace cograph::core {

// The handle of the loop or branch that a kernel decides about, among its arguments.
struct conditional_handle_t {
    static constexpr argument describe{argument_form::conditional_handle};
};
inline constexpr conditional_handle_t conditional_handle{};
using handle_parameter = unsigned long long;  // cudaGraphConditionalHandle

template <class A>
inline constexpr bool is_handle = std::is_same_v<A, conditional_handle_t>;
template <class... A>
inline constexpr int position_of_handle = first_true<is_handle<A>...>();
template <class P, class A>
struct choose_decider_argument : fit<P, A> {};
template <class P>
struct choose_decider_argument<P, conditional_handle_t> {
    using type = conditional_handle_t;
};
template <class P, class A>
using decider_argument = typename choose_decider_argument<P, A>::type;

// Refused calls of decided_by, and of loops and branches that it decides about.

// The parameters of the host's form.
template <class... Kept>
constexpr list<Kept...> without_handle(list<>, list<>) {
    return {};
}
template <class... Kept, class P, class... Rest, class A, class... More>
constexpr auto without_handle(list<P, Rest...>, list<A, More...>) {
    if constexpr (is_handle<A>)
        return without_handle<Kept...>(list<Rest...>{}, list<More...>{});
    else
        return without_handle<Kept..., P>(list<Rest...>{}, list<More...>{});
}

template <class Host>
struct host_decision;
template <class R, class... P>
struct host_decision<R (*)(P...)> {
    using type = R;
};
template <class R, class... P>
struct host_decision<R (*)(P...) noexcept> {
    using type = R;
};
template <auto F, auto Host, class Parameters>
constexpr auto diagnose_host_decision() {
    if constexpr (std::is_null_pointer_v<decltype(Host)>)
        return fine{};
    else if constexpr (!is_host_implementation<decltype(Host), Parameters>)
        return host_implementation_differs<kernel_function<F>, kernel_function<Host>>{};
    else if constexpr (!std::is_integral_v<typename host_decision<decltype(Host)>::type>)
        return predicate_is_neither_bool_nor_integer<kernel_function<Host>, typename host_decision<decltype(Host)>::type>{};
    else
        return fine{};
}
template <auto F, auto Host, class Shape, class... A>
constexpr auto diagnose_decider() {
    using plain_call = kernel_call<decltype(F), std::nullptr_t, Shape, choose<is_handle<A>, handle_parameter, A>...>;
    constexpr int handles = (0 + ... + is_handle<A>);
    constexpr int at = position_of_handle<A...>;
    if constexpr (plain_call::fault != kernel_fault::none)
        return diagnose_kernel<F, nullptr, Shape, choose<is_handle<A>, handle_parameter, A>...>();
    else if constexpr (handles != 1)
        return kernel_takes_one_handle<kernel_function<F>, given_handles<handles>>{};
    else if constexpr (!std::is_same_v<decltype(word_at<at>(typename signature<decltype(F)>::parameters{})), word<handle_parameter>>)
        return kernel_takes_one_handle<kernel_function<F>, given_handles<handles>>{};
    else
        return diagnose_host_decision<F, Host, decltype(without_handle(typename signature<decltype(F)>::parameters{}, list<A...>{}))>();
}

template <auto F, auto Host, class Shape, class... A>
struct decider_node;
template <class Node>
struct decided;
template <auto F, auto Host, class Shape, class... A>
word<kernel_function<F>> predicate_word(const decided<decider_node<F, Host, Shape, A...>>*);
template <class Node>
word<bool> predicate_result(const decided<Node>*);

template <class F>
constexpr auto selects_no_case(word<F>) {
    return kernel_selects_no_case<F>{};
}
template <bool Selects, class Node>
constexpr auto diagnose_result(const decided<Node>* p, word<bool>) {
    if constexpr (Selects)
        return selects_no_case(decltype(predicate_word(p)){});
    else
        return fine{};
}
// The host does not see what a kernel sets.
template <class F>
constexpr auto does_not_tell_the_host(word<F>) {
    return kernel_does_not_tell_the_host<F>{};
}
template <class... Bodies, class Node>
constexpr auto diagnose_decision(const decided<Node>* p) {
    if constexpr ((is_host_driven_body(Bodies::tree) || ...))
        return does_not_tell_the_host(decltype(predicate_word(p)){});
    else
        return fine{};
}
template <class Body, class Node>
constexpr auto diagnose_progress(const decided<Node>* p) {
    return diagnose_decision<Body>(p);
}

template <class F>
constexpr auto takes_no_options(word<F>) {
    return kernel_counts_no_iterations<F>{};
}
template <class Node, class Body, class First, class Second = no_loop_option>
auto loop_while(decided<Node> p, Body const&, First, Second = {}) -> decltype(mistake_of<struct loop_while_call, Node, Body, First, Second>(takes_no_options(predicate_word(&p))));
template <class Body, class Node, class First, class Second = no_loop_option>
auto do_while(Body const&, decided<Node> p, First, Second = {}) -> decltype(mistake_of<struct do_while_call, Node, Body, First, Second>(takes_no_options(predicate_word(&p))));

template <auto F, auto Host, class Shape, class... A>
predicate_in_place_of_an_expression<kernel_function<F>> why_no_expression(const decided<decider_node<F, Host, Shape, A...>>*);

}  // namespace cograph::core
