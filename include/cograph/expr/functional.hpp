// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cograph/expr/access.hpp>

#include <limits>
#include <type_traits>
#include <utility>

namespace cograph {

// Operations for reductions. identity<T>() is the value that changes nothing.
struct plus {
    template <class T>
    COGRAPH_HD constexpr T operator()(T a, T b) const { return a + b; }
    template <class T>
    static constexpr T identity() { return T(0); }
};
struct multiplies {
    template <class T>
    COGRAPH_HD constexpr T operator()(T a, T b) const { return a * b; }
    template <class T>
    static constexpr T identity() { return T(1); }
};
struct minimum {
    template <class T>
    COGRAPH_HD constexpr T operator()(T a, T b) const { return b < a ? b : a; }
    template <class T>
    static constexpr T identity() {
        return std::numeric_limits<T>::has_infinity ? std::numeric_limits<T>::infinity() : std::numeric_limits<T>::max();
    }
};
struct maximum {
    template <class T>
    COGRAPH_HD constexpr T operator()(T a, T b) const { return a < b ? b : a; }
    template <class T>
    static constexpr T identity() {
        return std::numeric_limits<T>::has_infinity ? -std::numeric_limits<T>::infinity() : std::numeric_limits<T>::lowest();
    }
};

// Asks for the operation's own identity.
struct take_identity {};

// The function objects of the library's own nodes.
struct element_at {
    template <class T>
    COGRAPH_HD constexpr T operator()(index_t, T x) const { return x; }
};
struct product_at {
    template <class T>
    COGRAPH_HD constexpr T operator()(index_t, T x, T y) const { return x * y; }
};
struct copy_element {
    template <class T>
    COGRAPH_HD constexpr void operator()(index_t, const T& from, T& to) const { to = from; }
};
struct fill_element {
    template <class T, class U>
    COGRAPH_HD constexpr void operator()(index_t, T& to, U value) const { to = static_cast<T>(value); }
};
// A marked variable whose memory arrives as a reference, whatever its kind.
template <mark M>
struct reference_to : M {
    using parameter = std::conditional_t<by_value<typename M::variable>, typename M::element, reference<typename M::pointee>>;
};

// The type of one value in a call: an argument's parameter, or an index_t.
template <class A>
struct call_value {
    using type = decltype(unwrap(std::declval<typename A::parameter>()));
};
template <class M>
struct call_value<each_of<M>> {
    using type = typename M::pointee&;
};
template <>
struct call_value<index_t> {
    using type = index_t;
};

// Whether F can be called with these leading values and arguments.
template <class F, class... A>
constexpr auto diagnose_call() {
    if constexpr (requires(const F& f, typename call_value<A>::type... value) { f(static_cast<typename call_value<A>::type&&>(value)...); })
        return fine{};
    else
        return function_cannot_be_called<F, A...>{};
}

}  // namespace cograph
