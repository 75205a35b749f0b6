// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cograph/expr/box/neighbours.hpp>
#include <cograph/expr/function/calls.hpp>
#include <cograph/expr/refused/box/near.hpp>

namespace cograph::core {

// Memory of which a function object sees the elements around one: x[near<1>].
template <class T, int... Radius>
struct near_pointer {
    T* at;
};

template <int... Radius>
inline constexpr near_radius radius_of{sizeof...(Radius), {Radius...}};

// x[near<...>] with its access mode, which is `in`.
template <class M, int... Radius>
struct near_of : M {
    using parameter = near_pointer<typename M::pointee, Radius...>;
    static constexpr argument describe{.form = argument_form::pointer, .access = M::describe.access, .variable = M::describe.variable, .near = &radius_of<Radius...>};
};

template <class V, int... Radius>
constexpr near_of<in_t<V>, Radius...> in(near_elements_of<V, Radius...>) {
    return {};
}
template <class V, int... Radius>
struct as_argument<near_elements_of<V, Radius...>> {
    using type = near_of<in_t<V>, Radius...>;
};

template <class M, int... Radius>
struct call_value<near_of<M, Radius...>> {
    using type = neighbours<typename M::element, Radius...>;
};

}  // namespace cograph::core
