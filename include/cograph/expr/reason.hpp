// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cograph/expr/config.hpp>

namespace cograph {

// Nothing is wrong.
struct fine {};

// Stops the build when its argument is a reason; the argument names the place in the user's words.
template <class Diagnosis>
struct require;

template <>
struct require<fine> {};

template <class Variable, class First, class Second>
struct branches_race_on {};
template <class V, class A, class B>
struct require<branches_race_on<V, A, B>> {
    static_assert(never<V>, "two branches of par use one variable and at least one of them writes it: order them "
                            "with seq, or give each branch a variable of its own");
};

template <class Predicate, class Body>
struct predicate_never_changes {};
template <class P, class B>
struct require<predicate_never_changes<P, B>> {
    static_assert(never<P>, "the loop never ends: nothing in its body writes a variable that its predicate reads");
};

template <class Variable, class Node>
struct temp_read_before_written {};
template <class V, class N>
struct require<temp_read_before_written<V, N>> {
    static_assert(never<V>, "a temp is read before it is written on some path (a loop may run zero times, a branch "
                            "may not be taken): write it first");
};

template <class... Variables>
struct unbound_variable {};
template <class... V>
struct require<unbound_variable<V...>> {
    static_assert(never<list<V...>>, "a variable of the expression is not bound: add it to the call, name(memory)");
};

template <class... Variables>
struct variable_bound_twice {};
template <class... V>
struct require<variable_bound_twice<V...>> {
    static_assert(never<list<V...>>, "a variable is bound twice in one call: keep one of the bindings");
};

template <class... Variables>
struct unknown_variable {};
template <class... V>
struct require<unknown_variable<V...>> {
    static_assert(never<list<V...>>, "a variable is bound that the expression does not use: remove the binding");
};

template <class Variable>
struct bound_memory_is_const {};
template <class V>
struct require<bound_memory_is_const<V>> {
    static_assert(never<V>, "the expression writes a variable that is bound to const memory: bind writable memory");
};

template <class Variable, class Expected, class Given>
struct elements_differ {};
template <class V, class E, class G>
struct require<elements_differ<V, E, G>> {
    static_assert(never<V>, "a variable is bound to memory of another element type");
};

template <class Variable, class Container>
struct container_owns_memory {};
template <class V, class C>
struct require<container_owns_memory<V, C>> {
    static_assert(never<V>, "a variable is bound to a container that owns its memory: pass a span of it");
};

template <class Function, int Expected, int Given>
struct argument_count_differs {};
template <class F, int E, int G>
struct require<argument_count_differs<F, E, G>> {
    static_assert(never<F>, "the node has more or fewer arguments than the kernel has parameters");
};

template <class Function, int Position, class Parameter, class Argument>
struct argument_does_not_fit {};
template <class F, int I, class P, class A>
struct require<argument_does_not_fit<F, I, P, A>> {
    static_assert(never<F>, "an argument does not fit the kernel's parameter at that position (counted from 1)");
};

template <class Function, int Position, class Parameter, class Argument>
struct writes_through_const {};
template <class F, int I, class P, class A>
struct require<writes_through_const<F, I, P, A>> {
    static_assert(never<F>, "out or inout marks an argument whose parameter is const: mark it in, or drop the const");
};

template <class Function, class Variable>
struct mark_is_missing {};
template <class F, class V>
struct require<mark_is_missing<F, V>> {
    static_assert(never<F>, "a view needs a mark: in, out or inout says what the kernel does with it");
};

template <class Query, class Selector>
struct selector_matches_nothing {};
template <class Q, class S>
struct require<selector_matches_nothing<Q, S>> {
    static_assert(never<Q>, "the query names a node that is not in the expression");
};

template <class Query, class Selector>
struct selector_matches_several {};
template <class Q, class S>
struct require<selector_matches_several<Q, S>> {
    static_assert(never<Q>, "the query names several nodes of the expression: use at<position>");
};

template <class Node>
struct no_host_form {};
template <class N>
struct require<no_host_form<N>> {
    static_assert(never<N>, "simulate cannot run a __global__ function: give the node a host form, "
                            "kernel<function, host_function>");
};

template <class Function, class... Arguments>
struct function_cannot_be_called {};
template <class F, class... A>
struct require<function_cannot_be_called<F, A...>> {
    static_assert(never<F>, "the function object cannot be called with these arguments");
};

template <class Formula>
struct not_a_condition {};
template <class F>
struct require<not_a_condition<F>> {
    static_assert(never<F>, "a predicate must give bool or an integer; a switch selector must give an integer");
};

}  // namespace cograph
