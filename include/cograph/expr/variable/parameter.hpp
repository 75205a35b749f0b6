// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cograph/expr/core/config.hpp>

#include <type_traits>

namespace cograph::core {

// How arguments arrive at functions.

// A pointer that arrives as a reference: how scalars reach function objects.
template <class T>
struct reference {
    T* at;
};

// A function object without state, which is made at its use: nvcc refuses some empty kernel parameters.
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

}  // namespace cograph::core
