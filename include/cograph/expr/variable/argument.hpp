// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cograph/expr/control/loop_state.hpp>
#include <cograph/expr/function/closure_kind.hpp>
#include <cograph/expr/node/node_spec.hpp>
#include <cograph/expr/variable/access_mode.hpp>

namespace cograph::core {

// Arguments in the form nodes hold them.

// Nothing to keep: a T is made at its use.
template <class T>
inline constexpr bool is_stateless = is_empty_type<T> && requires { T(); };

// A literal or a function object.
template <class T>
struct given {
    using parameter = choose<is_stateless<T>, made_on_use<T>, T>;
    static constexpr argument describe{is_stateless<T> ? argument_form::stateless : argument_form::kept_value, access_mode::none, nullptr,
                                       bytes_among_parameters(sizeof(T), alignof(T))};
};

// The constant extent of the node's shape.
struct constant_extent {
    using parameter = index_t;
    static constexpr argument describe{argument_form::count};
};
template <long long Count>
struct constant_extent_of {
    using parameter = constant_extent::parameter;
    static constexpr argument describe{argument_form::count, access_mode::none, nullptr, 0, false, nullptr, nullptr, 0, Count};
};

// Working memory of a node.
template <unsigned Bytes>
struct scratch {
    using parameter = void*;
    static constexpr argument describe{argument_form::scratch, access_mode::none, nullptr, Bytes};
};

// Working memory of a node, of a size that the run finds.
struct workspace {
    using parameter = void*;
    static constexpr argument describe{argument_form::workspace};
};

// The state of a loop.
struct counter {
    using parameter = loop_counter;
    static constexpr argument describe{argument_form::counter, access_mode::read_write, nullptr, sizeof(loop_state)};
};

// The states of the loops in a branch.
struct counters_below {
    using parameter = loop_counter;
    static constexpr argument describe{argument_form::counter, access_mode::read_write, nullptr, 0};
};

// The loop around a node.
struct tells_the_loop {
    using parameter = enclosing_loop;
    static constexpr argument describe{argument_form::loop_around};
};

template <class A>
concept access_argument = requires {
    typename A::variable;
    typename A::pointee;
};

// A variable that needs an access mode in every node: the type of a view does not show the use of its memory.
template <class V>
struct unmarked {
    using parameter = typename V::element;
    static constexpr argument describe{argument_form::object};
};

// An argument as users write it, in the form nodes hold it: a bare variable is read, anything else is a literal.
template <class A>
struct as_argument {
    using type = given<A>;
};
template <variable V>
struct as_argument<V> {
    using type = in_t<V>;
};
template <variable V>
    requires(V::kind == variable_kind::view)
struct as_argument<V> {
    using type = unmarked<V>;
};
template <misnamed V>
struct as_argument<V> {
    using type = unmarked<V>;
};
template <class V>
struct as_argument<elements_of<V>> {
    using type = each_of<in_t<V>>;
};
template <access_argument M>
struct as_argument<M> {
    using type = M;
};
template <class V>
struct as_argument<extent_t<V>> {
    using type = extent_t<V>;
};
template <class V, unsigned Most>
struct as_argument<small_extent<V, Most>> {
    using type = small_extent<V, Most>;
};
template <class A>
using as_argument_t = typename as_argument<A>::type;

// Whether code of the device may be given an argument.
template <class A>
inline constexpr bool is_for_the_device = true;
template <in_host_memory V>
inline constexpr bool is_for_the_device<V> = false;
template <class V>
inline constexpr bool is_for_the_device<unmarked<V>> = false;
template <access_argument M>
inline constexpr bool is_for_the_device<M> = is_for_the_device<typename M::variable>;

template <class... A>
inline constexpr argument arguments_of[sizeof...(A) + 1] = {A::describe..., {argument_form::kept_value}};

}  // namespace cograph::core
