// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cograph/expr/control/loop_state.hpp>
#include <cograph/expr/function/closure_kind.hpp>
#include <cograph/expr/node/node_spec.hpp>
#include <cograph/expr/reasons/node_reasons.hpp>

namespace cograph::core {

// A pointer that arrives as a reference: how scalars reach function objects.
template <class T>
struct reference {
    T* at;
};

// A function object without state, which is made where it is used: nvcc refuses some empty kernel parameters.
template <class T>
struct made_on_use {};

template <class T>
COGRAPH_HD constexpr T unwrap(made_on_use<T>) {
    return {};
}
template <class T>
COGRAPH_HD constexpr T& unwrap(reference<T> r) {
    return *r.at;
}
template <class T>
COGRAPH_HD constexpr T const& unwrap(T const& value) {
    return value;
}

// Memory of which a function object sees one element: the one whose number it is called with.
template <class T>
struct element_pointer {
    T* at;
};

// A parameter as a function object gets it, called for element i.
template <class T>
COGRAPH_HD constexpr T& at_element(element_pointer<T> p, index_t i) {
    return p.at[i];
}
template <class P>
COGRAPH_HD constexpr decltype(auto) at_element(P const& p, index_t) {
    return unwrap(p);
}

// T, spelled without the names of variables: nvcc writes a kernel's arguments as they were spelled, and a spelling with a
// variable's name in it does not compile there.
template <class T>
using plain = typename std::type_identity<T>::type;

// A marked variable. `parameter` is how it arrives at a function object.
template <class V, access_mode Access>
struct accessed {
    using variable = V;
    using tag = typename V::tag;
    using element = typename V::element;
    using pointee = choose<writes(Access), element, const element>;
    using parameter = choose<by_value<V>, element, choose<V::kind == variable_kind::scalar, reference<pointee>, pointee*>>;
    static constexpr argument describe{by_value<V> ? argument_form::object : argument_form::pointer, Access, &info_of<tag>};

    template <class Index>
    auto operator[](Index const&) const -> decltype(mistake_of<accessed, Index>(each_stands_outside_the_access_mode<V>{}));
};

template <class V>
struct in_t : accessed<V, access_mode::read> {};
template <class V>
struct out_t : accessed<V, access_mode::write> {};
template <class V>
struct inout_t : accessed<V, access_mode::read_write> {};

// A marked x[each].
template <class M>
struct each_of : M {
    using parameter = element_pointer<typename M::pointee>;
    static constexpr argument describe{argument_form::pointer, M::describe.access, M::describe.variable, 0, true};
};

// What a node can read, and write: what a view leads to can be written, a value is the host's.
template <class V>
concept readable = variable<V> && is_element<typename V::element>;
template <class V>
concept writable = readable<V> && V::kind != variable_kind::value;

template <class V>
constexpr auto diagnose_read() {
    if constexpr (misnamed<V>)
        return diagnose_tag<V>();
    else if constexpr (!variable<V>)
        return not_a_variable<V>{};
    else if constexpr (!readable<V>)
        return diagnose_element_type(static_cast<const V*>(nullptr));
    else
        return fine{};
}
template <class V>
constexpr auto diagnose_written() {
    if constexpr (!readable<V>)
        return diagnose_read<V>();
    else if constexpr (V::kind == variable_kind::value)
        return value_cannot_be_written<V>{};
    else
        return fine{};
}

template <readable V>
constexpr in_t<V> in(V) {
    return {};
}
template <writable V>
constexpr out_t<V> out(V) {
    return {};
}
template <writable V>
constexpr inout_t<V> inout(V) {
    return {};
}
template <class V>
    requires(!readable<V>)
auto in(V) -> decltype(mistake_of<struct in_call, V>(diagnose_read<V>()));
template <class V>
    requires(!writable<V>)
auto out(V) -> decltype(mistake_of<struct out_call, V>(diagnose_written<V>()));
template <class V>
    requires(!writable<V>)
auto inout(V) -> decltype(mistake_of<struct inout_call, V>(diagnose_written<V>()));
template <class... A>
auto in(A const&...) -> mistake<arguments_are_not_those_of<struct in_call, A...>, struct mark_one_variable_at_a_time>;
template <class... A>
auto out(A const&...) -> mistake<arguments_are_not_those_of<struct out_call, A...>, struct mark_one_variable_at_a_time>;
template <class... A>
auto inout(A const&...) -> mistake<arguments_are_not_those_of<struct inout_call, A...>, struct mark_one_variable_at_a_time>;
template <class V>
constexpr each_of<in_t<V>> in(elements_of<V>) {
    return {};
}
template <class V>
constexpr each_of<out_t<V>> out(elements_of<V>) {
    return {};
}
template <class V>
constexpr each_of<inout_t<V>> inout(elements_of<V>) {
    return {};
}

// The number of elements of a variable, as an integer argument.
template <class V>
struct extent_t {
    using variable = V;
    using parameter = index_t;
    static constexpr argument describe{argument_form::extent, access_mode::none, &info_of<typename V::tag>};
};
template <class A>
inline constexpr bool is_extent = false;
template <class V>
inline constexpr bool is_extent<extent_t<V>> = true;
// The same for a parameter that does not hold every extent; Most is the greatest that it holds.
template <class V, unsigned Most>
struct small_extent : extent_t<V> {
    static constexpr argument describe{argument_form::extent, access_mode::none, &info_of<typename V::tag>, Most};
};
template <variable V>
    requires(in_memory<V> || in_host_memory<V>)
constexpr extent_t<V> extent(V) {
    return {};
}
template <variable V>
    requires(!in_memory<V> && !in_host_memory<V>)
auto extent(V) -> decltype(mistake_of<struct extent_call, V>(has_no_extent<V>{}));
template <misnamed V>
auto extent(V) -> decltype(mistake_of<struct extent_call, V>(diagnose_tag<V>()));
template <class... A>
auto extent(A const&...) -> mistake<arguments_are_not_those_of<struct extent_call, A...>, struct take_the_extent_of_a_buffer_or_a_temp>;

// Nothing to keep: a T is made where it is used.
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

template <class A>
concept access_argument = requires {
    typename A::variable;
    typename A::pointee;
};

// A variable that no node can be given without a mark: nobody knows what it does with the memory behind a view.
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
