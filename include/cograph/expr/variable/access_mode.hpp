// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cograph/expr/node/node_spec.hpp>
#include <cograph/expr/refused/variable/access_mode.hpp>
#include <cograph/expr/variable/parameter.hpp>

namespace cograph::core {

// A variable with an access mode. `parameter` is how it arrives at a function object.
template <class V, access_mode Access>
struct accessed {
    using variable = V;
    using tag = typename V::tag;
    using element = typename V::element;
    using pointee = choose<writes(Access), element, const element>;
    using parameter = choose<by_value<V>, element, choose<V::kind == variable_kind::scalar, reference<pointee>, pointee*>>;
    static constexpr argument describe{by_value<V> ? argument_form::object : argument_form::pointer, Access, &info_of<tag>};

    // Refused calls.
    template <class Index>
    auto operator[](Index const&) const -> decltype(mistake_of<accessed, Index>(each_stands_outside_the_access_mode<V>{}));
};

template <class V>
struct in_t : accessed<V, access_mode::read> {};
template <class V>
struct out_t : accessed<V, access_mode::write> {};
template <class V>
struct inout_t : accessed<V, access_mode::read_write> {};

// x[each] with an access mode.
template <class M>
struct each_of : M {
    using parameter = element_pointer<typename M::pointee>;
    static constexpr argument describe{argument_form::pointer, M::describe.access, M::describe.variable, 0, true};
};

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

}  // namespace cograph::core
