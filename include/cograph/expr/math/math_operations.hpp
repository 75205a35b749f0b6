// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cograph/expr/formula/arithmetic.hpp>

#include <limits>

namespace cograph::core {

// The functions of <cmath> without the header: the compiler's for the host, CUDA's for both sides of CUDA code. The
// device has no long double, and nvcc warns if one is named.
#ifdef __CUDACC__
#define COGRAPH_CMATH(function) ::function
#else
#define COGRAPH_CMATH(function) __builtin_##function
#endif

// Functions of one number; integers become doubles.
#define COGRAPH_FUNCTION(name, function)                                            \
    struct name : floating {                                                        \
        template <class A>                                                          \
        COGRAPH_HD static auto of(A a) {                                            \
            if constexpr (is_long_double<A>)                                        \
                return __builtin_##function##l(a);                                  \
            else if constexpr (std::is_same_v<A, float>)                            \
                return COGRAPH_CMATH(function##f)(a);                               \
            else                                                                    \
                return COGRAPH_CMATH(function)(static_cast<double>(a));             \
        }                                                                           \
    };

// fma(l, r, summand) is an operation of two operands, the first of which are its factors.
template <class A, class B>
struct factor_pair {
    A first;
    B second;
};

template <class T>
inline constexpr T largest_number = std::numeric_limits<T>::max();
template <class T>
inline constexpr bool is_long_double = std::is_floating_point_v<T> && (sizeof(T) > sizeof(double));

namespace operation {
COGRAPH_FUNCTION(exponential, exp)
COGRAPH_FUNCTION(logarithm, log)
COGRAPH_FUNCTION(sine, sin)
COGRAPH_FUNCTION(cosine, cos)
COGRAPH_FUNCTION(tangent, tan)
COGRAPH_FUNCTION(hyperbolic_tangent, tanh)
COGRAPH_FUNCTION(rounded_down, floor)
COGRAPH_FUNCTION(rounded_up, ceil)
COGRAPH_FUNCTION(rounded, round)

struct power : floating {
    template <class A, class B>
    COGRAPH_HD static auto of(A a, B b) {
        if constexpr (is_long_double<A> || is_long_double<B>)
            return __builtin_powl(a, b);
        else if constexpr (std::is_same_v<A, float> && std::is_same_v<B, float>)
            return COGRAPH_CMATH(powf)(a, b);
        else
            return COGRAPH_CMATH(pow)(static_cast<double>(a), static_cast<double>(b));
    }
};
struct factors : floating { template <class A, class B> COGRAPH_HD static constexpr factor_pair<A, B> of(A a, B b) { return {a, b}; } };
struct fused_sum : floating {
    template <class A, class B, class C>
    COGRAPH_HD static auto of(factor_pair<A, B> of, C c) {
        if constexpr (is_long_double<A> || is_long_double<B> || is_long_double<C>)
            return __builtin_fmal(of.first, of.second, c);
        else if constexpr (std::is_same_v<A, float> && std::is_same_v<B, float> && std::is_same_v<C, float>)
            return COGRAPH_CMATH(fmaf)(of.first, of.second, c);
        else
            return COGRAPH_CMATH(fma)(static_cast<double>(of.first), static_cast<double>(of.second), static_cast<double>(c));
    }
};

struct is_finite_number : truth {
    template <class A>
    COGRAPH_HD static constexpr bool of(A a) {
        if constexpr (std::is_floating_point_v<A>)
            return a >= -largest_number<A> && a <= largest_number<A>;
        else
            return true;
    }
};
struct is_no_number : truth { template <class A> COGRAPH_HD static constexpr bool of(A a) { return is_nan(a); } };
}  // namespace operation

#undef COGRAPH_FUNCTION
#undef COGRAPH_CMATH

}  // namespace cograph::core
