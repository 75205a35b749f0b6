// SPDX-License-Identifier: Apache-2.0
#pragma once

// Includes of missing files end the compilation, in place of a thousand errors that follow from the first.
#if defined(_MSVC_LANG) ? _MSVC_LANG < 202002L : __cplusplus < 202002L
#error "cograph needs C++20: compile with -std=c++20"
#include <cograph/needs/cxx20>
#elif defined(__clang__) ? __clang_major__ < 14 : defined(__GNUC__) && __GNUC__ < 12
#error "cograph needs g++ 12, clang++ 14 or later ones"
#include <cograph/needs/a/later/compiler>
#elif defined(__CUDACC_VER_MAJOR__) && __CUDACC_VER_MAJOR__ * 100 + __CUDACC_VER_MINOR__ < 1208
#error "cograph needs nvcc 12.8 or later"
#include <cograph/needs/a/later/nvcc>
// There {.a = 1, .c = 3} makes b zero, whatever its initializer says (nvcc 13.0).
#elif defined(__NVCC__) && defined(__clang__)
#error "cograph needs g++ as the host compiler of nvcc: with clang++, nvcc loses members' initializers"
#include <cograph/needs/another/host/compiler>
#endif

#include <cstddef>

// The version, as three numbers and as one: 10000 * major + 100 * minor + patch.
#define COGRAPH_VERSION_MAJOR 0
#define COGRAPH_VERSION_MINOR 1
#define COGRAPH_VERSION_PATCH 0
#define COGRAPH_VERSION (COGRAPH_VERSION_MAJOR * 10000 + COGRAPH_VERSION_MINOR * 100 + COGRAPH_VERSION_PATCH)

// COGRAPH_HD marks functions for both sides; it is empty without a CUDA compiler. COGRAPH_EXEC_CHECK_OFF: the
// following template calls a context, which is for one side only. Not for callers of user code: there nvcc must
// report a call of a function without COGRAPH_HD.
#if defined(__CUDACC__)
#define COGRAPH_HD __host__ __device__
#define COGRAPH_EXEC_CHECK_OFF _Pragma("nv_exec_check_disable")
#else
#define COGRAPH_HD
#define COGRAPH_EXEC_CHECK_OFF
#endif

namespace cograph {

// Counts elements and numbers them; signed, so that i - 1 at i == 0 is -1.
using index_t = std::ptrdiff_t;

}  // namespace cograph

namespace cograph::core {

// A pack of types that are only listed.
template <class... T>
struct list {};
template <class... A, class... B>
constexpr list<A..., B...> operator+(list<A...>, list<B...>) {
    return {};
}

// One of two types. Unlike std::conditional_t it makes no class for each choice.
template <bool First>
struct choice {
    template <class A, class>
    using of = A;
};
template <>
struct choice<false> {
    template <class, class B>
    using of = B;
};
template <bool First, class A, class B>
using choose = typename choice<First>::template of<A, B>;

// The type at position I of a pack; only met on the way to an error message.
template <int I, class T, class... Rest>
struct pick_type {
    using type = typename pick_type<I - 1, Rest...>::type;
};
template <int I, class T0, class T1, class T2, class T3, class T4, class T5, class T6, class T7, class... Rest>
    requires(I >= 8)
struct pick_type<I, T0, T1, T2, T3, T4, T5, T6, T7, Rest...> {
    using type = typename pick_type<I - 8, Rest...>::type;
};
template <class T, class... Rest>
struct pick_type<0, T, Rest...> {
    using type = T;
};

}  // namespace cograph::core
