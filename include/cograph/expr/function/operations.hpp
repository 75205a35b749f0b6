// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cograph/expr/formula/arithmetic.hpp>
#include <cograph/expr/variable/argument.hpp>

#include <limits>

namespace cograph::core {

// Whether a reduction takes few registers for a parameter: numbers are light, and the library's own function objects.
struct light_function {};
template <class P>
inline constexpr bool is_light = is_number<P> || __is_base_of(light_function, P);
template <class T>
inline constexpr bool is_light<T*> = true;
template <class T>
inline constexpr bool is_light<reference<T>> = is_number<T>;
template <class T>
inline constexpr bool is_light<element_pointer<T>> = is_number<T>;
template <class F>
inline constexpr bool is_light<made_on_use<F>> = is_light<F>;

// Operations for reductions. identity<T>() is the value that changes nothing.
struct plus : light_function {
    template <class T>
        requires requires(T a, T b) { static_cast<T>(a + b); }
    COGRAPH_HD constexpr T operator()(T a, T b) const { return a + b; }
    template <class T>
        requires std::is_aggregate_v<T> && requires { T{}; }
    COGRAPH_HD static constexpr T identity() { return T{}; }
    template <class T>
        requires(!std::is_aggregate_v<T>) && requires { T(0); }
    COGRAPH_HD static constexpr T identity() { return T(0); }
};
struct multiplies : light_function {
    template <class T>
        requires requires(T a, T b) { static_cast<T>(a * b); }
    COGRAPH_HD constexpr T operator()(T a, T b) const { return a * b; }
    template <class T>
        requires(!std::is_aggregate_v<T>) && requires { T(1); }
    COGRAPH_HD static constexpr T identity() { return T(1); }
};
// The least and the greatest value of a type without std::numeric_limits are unknown.
struct minimum : light_function {
    template <class T>
        requires requires(T a, T b) { a < b; }
    COGRAPH_HD constexpr T operator()(T a, T b) const { return b < a ? b : a; }
    template <class T>
        requires std::numeric_limits<T>::is_specialized
    static constexpr T identity() {
        return std::numeric_limits<T>::has_infinity ? std::numeric_limits<T>::infinity() : std::numeric_limits<T>::max();
    }
};
struct maximum : light_function {
    template <class T>
        requires requires(T a, T b) { a < b; }
    COGRAPH_HD constexpr T operator()(T a, T b) const { return a < b ? b : a; }
    template <class T>
        requires std::numeric_limits<T>::is_specialized
    static constexpr T identity() {
        return std::numeric_limits<T>::has_infinity ? -std::numeric_limits<T>::infinity() : std::numeric_limits<T>::lowest();
    }
};

// The same, but a NaN is the largest or the least of all: the result is NaN if a term is.
struct maximum_or_nan : light_function {
    template <class T>
        requires requires(T a, T b) { a < b; }
    COGRAPH_HD constexpr T operator()(T a, T b) const { return a < b || is_nan(b) ? b : a; }
    template <class T>
        requires std::numeric_limits<T>::is_specialized
    static constexpr T identity() { return maximum::identity<T>(); }
};
struct minimum_or_nan : light_function {
    template <class T>
        requires requires(T a, T b) { a < b; }
    COGRAPH_HD constexpr T operator()(T a, T b) const { return b < a || is_nan(b) ? b : a; }
    template <class T>
        requires std::numeric_limits<T>::is_specialized
    static constexpr T identity() { return minimum::identity<T>(); }
};

// Whether an operation declares that the order of terms changes no bit of a result: static constexpr bool in_any_order = true.
template <class Op>
concept joins_in_any_order = requires { requires Op::in_any_order; };

// Whether an element may take the place of another.
template <class T>
inline constexpr bool is_assigned = __is_assignable(T&, const T&);

// Asks for the operation's own identity.
struct take_identity {};

// The function objects of the library's own nodes.
struct element_at : light_function {
    template <class T>
    COGRAPH_HD constexpr T operator()(index_t, T x) const { return x; }
};
// The product of numbers in the type that holds both and the result: the product of two shorts does not fit a short.
template <class Result>
struct product_at : light_function {
    template <class T, class U>
        requires requires(T x, U y) { x * y; }
    COGRAPH_HD constexpr auto operator()(index_t, T x, U y) const {
        if constexpr (std::is_arithmetic_v<T> && std::is_arithmetic_v<U> && std::is_arithmetic_v<Result>) {
            using type = std::common_type_t<T, U, Result>;
            return static_cast<type>(x) * static_cast<type>(y);
        } else {
            return x * y;
        }
    }
};
struct copy_element {
    template <class T>
    COGRAPH_HD constexpr void operator()(index_t, const T& from, T& to) const { to = from; }
};

}  // namespace cograph::core
