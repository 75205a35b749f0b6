// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cograph/expr/core/config.hpp>

#include <type_traits>

namespace cograph::core {

template <class T>
inline constexpr bool is_plain_integer = std::is_integral_v<T> && !std::is_same_v<T, bool>;

// The types that formulas compute with. An enumeration becomes its promoted type or, if it is scoped, its underlying
// integer.
template <class T>
inline constexpr bool is_number = std::is_arithmetic_v<T> || __is_enum(T);
template <class T>
inline constexpr bool is_scoped = false;
template <class T>
    requires(__is_enum(T))
inline constexpr bool is_scoped<T> = !std::is_convertible_v<T, long long>;
template <class T>
COGRAPH_HD constexpr auto as_number(T value) {
    if constexpr (is_scoped<T>)
        return static_cast<__underlying_type(T)>(value);
    else if constexpr (__is_enum(T))
        return +value;
    else
        return value;
}

template <class T>
COGRAPH_HD constexpr bool is_nan(T number) {
    return number != number;  // NOLINT(misc-redundant-expression): that is what a NaN is
}

// std::sqrt, without <cmath>; CUDA's is for both sides. The device has no long double, and nvcc warns if one is
// named.
template <class T>
COGRAPH_HD auto square_root_of(T number) {
    if constexpr (std::is_floating_point_v<T> && sizeof(T) > sizeof(double))
        return __builtin_sqrtl(number);
    else if constexpr (std::is_same_v<T, float>)
#ifdef __CUDACC__
        return ::sqrtf(number);
    else
        return ::sqrt(static_cast<double>(number));
#else
        return __builtin_sqrtf(number);
    else
        return __builtin_sqrt(static_cast<double>(number));
#endif
}

// a < b as numbers: integers of different signedness compare by value, and a 64-bit integer is not rounded to compare
// with a floating-point number.
template <class A, class B>
COGRAPH_HD constexpr bool less_than(A a, B b) {
    if constexpr (is_plain_integer<A> && is_plain_integer<B> && std::is_signed_v<A> != std::is_signed_v<B>) {
        if constexpr (std::is_signed_v<A>)
            return a < 0 || static_cast<std::make_unsigned_t<A>>(a) < b;
        else
            return b >= 0 && a < static_cast<std::make_unsigned_t<B>>(b);
    } else if constexpr (is_plain_integer<A> && sizeof(A) == 8 && std::is_floating_point_v<B>) {
        constexpr B limit = std::is_signed_v<A> ? B(9223372036854775808.0) : B(18446744073709551616.0);
        if (is_nan(b) || b < (std::is_signed_v<A> ? -limit : B(0))) return false;
        if (b >= limit) return true;
        const A whole = static_cast<A>(b);  // b rounded towards zero
        return a < whole || (a == whole && static_cast<B>(whole) < b);
    } else if constexpr (std::is_floating_point_v<A> && is_plain_integer<B> && sizeof(B) == 8) {
        constexpr A limit = std::is_signed_v<B> ? A(9223372036854775808.0) : A(18446744073709551616.0);
        if (is_nan(a) || a >= limit) return false;
        if (a < (std::is_signed_v<B> ? -limit : A(0))) return true;
        const B whole = static_cast<B>(a);
        return whole < b || (whole == b && a < static_cast<A>(whole));
    } else {
        using T = decltype(a + b);
        return T(a) < T(b);
    }
}

template <class A, class B>
COGRAPH_HD constexpr bool equal_to(A a, B b) {
    if constexpr (std::is_floating_point_v<A> && std::is_floating_point_v<B>)
        return a == b;
    else if constexpr (std::is_floating_point_v<A>)
        return !is_nan(a) && !less_than(a, b) && !less_than(b, a);
    else if constexpr (std::is_floating_point_v<B>)
        return !is_nan(b) && !less_than(a, b) && !less_than(b, a);
    else
        return !less_than(a, b) && !less_than(b, a);
}

// Operations of formulas, one type each. Both sides are converted explicitly as the language does implicitly:
// warnings about it would name this file, not the user's formula.
namespace operation {
struct truth {};     // gives a bool
struct floating {};  // gives a floating-point number
struct comparison : truth {};
struct less : comparison { template <class A, class B> COGRAPH_HD static constexpr bool of(A a, B b) { return less_than(a, b); } };
struct greater : comparison { template <class A, class B> COGRAPH_HD static constexpr bool of(A a, B b) { return less_than(b, a); } };
struct less_equal : comparison {
    template <class A, class B>
    COGRAPH_HD static constexpr bool of(A a, B b) { return less_than(a, b) || equal_to(a, b); }
};
struct greater_equal : comparison {
    template <class A, class B>
    COGRAPH_HD static constexpr bool of(A a, B b) { return less_than(b, a) || equal_to(a, b); }
};
struct equal : comparison { template <class A, class B> COGRAPH_HD static constexpr bool of(A a, B b) { return equal_to(a, b); } };
struct not_equal : comparison { template <class A, class B> COGRAPH_HD static constexpr bool of(A a, B b) { return !equal_to(a, b); } };
struct both : truth {};  // && and || do not compute their right side when the left side decides
struct either : truth {};
struct sum { template <class A, class B> COGRAPH_HD static constexpr auto of(A a, B b) { using T = decltype(a + b); return T(a) + T(b); } };
struct difference { template <class A, class B> COGRAPH_HD static constexpr auto of(A a, B b) { using T = decltype(a - b); return T(a) - T(b); } };
struct product { template <class A, class B> COGRAPH_HD static constexpr auto of(A a, B b) { using T = decltype(a * b); return T(a) * T(b); } };
struct quotient { template <class A, class B> COGRAPH_HD static constexpr auto of(A a, B b) { using T = decltype(a / b); return T(a) / T(b); } };
struct remainder { template <class A, class B> COGRAPH_HD static constexpr auto of(A a, B b) { using T = decltype(a % b); return T(a) % T(b); } };
struct bit_and { template <class A, class B> COGRAPH_HD static constexpr auto of(A a, B b) { using T = decltype(a & b); return T(a) & T(b); } };
struct bit_or { template <class A, class B> COGRAPH_HD static constexpr auto of(A a, B b) { using T = decltype(a | b); return T(a) | T(b); } };
struct bit_xor { template <class A, class B> COGRAPH_HD static constexpr auto of(A a, B b) { using T = decltype(a ^ b); return T(a) ^ T(b); } };
struct shift_left { template <class A, class B> COGRAPH_HD static constexpr auto of(A a, B b) { return a << b; } };
struct shift_right { template <class A, class B> COGRAPH_HD static constexpr auto of(A a, B b) { return a >> b; } };
// The choice of std::min and std::max: left, unless right is smaller, or larger.
struct smaller {
    template <class A, class B>
    COGRAPH_HD static constexpr auto of(A a, B b) { using T = decltype(true ? A() : B()); return T(b) < T(a) ? T(b) : T(a); }
};
struct larger {
    template <class A, class B>
    COGRAPH_HD static constexpr auto of(A a, B b) { using T = decltype(true ? A() : B()); return T(a) < T(b) ? T(b) : T(a); }
};
// The quotient of integers, rounded up.
struct quotient_up {
    template <class A, class B>
    COGRAPH_HD static constexpr auto of(A a, B b) {
        using T = decltype(a / b);
        return T(a) / T(b) + T(T(a) % T(b) != 0 && (T(a) > 0) == (T(b) > 0));
    }
};
// Zero has no sign afterwards.
struct magnitude { template <class A> COGRAPH_HD static constexpr auto of(A a) { using T = decltype(+a); return a > 0 ? T(a) : a == 0 ? T(0) : T(-T(a)); } };
struct square_root : floating { template <class A> COGRAPH_HD static auto of(A a) { return square_root_of(a); } };
struct negative { template <class A> COGRAPH_HD static constexpr auto of(A a) { return -a; } };
struct complement { template <class A> COGRAPH_HD static constexpr auto of(A a) { return ~a; } };
struct negation : truth { template <class A> COGRAPH_HD static constexpr bool of(A a) { return !a; } };
}  // namespace operation

}  // namespace cograph::core
