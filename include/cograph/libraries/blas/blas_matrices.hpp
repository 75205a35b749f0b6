// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cograph/libraries/blas/blas_vectors.hpp>

namespace cograph::core {

template <class M>
inline constexpr bool is_transposed = false;
template <class M>
inline constexpr bool is_transposed<transposed_matrix<M>> = true;
template <class M>
concept given_matrix = requires { requires memory_input<M>; } || requires { requires memory_input<decltype(M::memory)>; };

template <blas_routine::half Half, bool Unit>
struct triangle {};
template <class A>
inline constexpr bool is_triangle = false;
template <blas_routine::half Half, bool Unit>
inline constexpr bool is_triangle<triangle<Half, Unit>> = true;
template <blas_routine::half Half, bool Unit, class M>
constexpr blas_routine::trsv<Half, Unit, is_transposed<M>> trsv_of(triangle<Half, Unit>, M) {
    return {};
}

template <class Y = void, class M = void, class X = void, class Alpha = one, class Beta = zero, class... More>
constexpr auto diagnose_gemv() {
    if constexpr (result_memory<Y> && given_matrix<M> && memory_input<X> && is_factor<Alpha> && is_factor<Beta> && sizeof...(More) == 0)
        return diagnose_with_beta<blas_routine::gemv<false>, Y, Beta, memory_of_t<M>, X, Alpha>();
    else
        return not_called_so{};
}
// gemv(out(y), in(A), in(x)), gemv(inout(y), in(A), in(x), alpha, beta): y = alpha * A * x + beta * y. A has extent(y) rows.
template <class Handle>
struct gemv_function {
    [[no_unique_address]] Handle handle;
    template <class Y, class M, class X, class Alpha = one, class Beta = zero>
        requires is_fine<decltype(diagnose_gemv<Y, M, X, Alpha, Beta>())>
    constexpr auto operator()(Y y, M matrix, X x, Alpha alpha = {}, Beta beta = {}, const char* file = __builtin_FILE(), unsigned line = __builtin_LINE()) const {
        return library_node(blas_routine::gemv<is_transposed<M>>{}, handle, at_place(file, line), y, extent_of(y), memory_of(matrix), extent_of(matrix), x, extent_of(x), factor_of<memory_element_t<Y>>(alpha), factor_of<memory_element_t<Y>>(beta));
    }
    template <class... A>
        requires(!is_fine<decltype(diagnose_gemv<A...>())>)
    auto operator()(A const&...) const -> decltype(mistake_of<gemv_function, A...>(explain_library_call<blas::gemv, A...>(diagnose_gemv<A...>())));
};

template <class C = void, class A = void, class B = void, class Alpha = one, class Beta = zero, class... More>
constexpr auto diagnose_gemm() {
    if constexpr (result_memory<C> && given_matrix<A> && given_matrix<B> && is_factor<Alpha> && is_factor<Beta> && sizeof...(More) == 0)
        return diagnose_with_beta<blas_routine::gemm<false, false>, C, Beta, memory_of_t<A>, memory_of_t<B>, Alpha>();
    else
        return not_called_so{};
}
// gemm(inout(C), in(A), in(B), alpha, beta): C = alpha * A * B + beta * C. The three extents determine rows and columns.
template <class Handle>
struct gemm_function {
    [[no_unique_address]] Handle handle;
    template <class C, class A, class B, class Alpha = one, class Beta = zero>
        requires is_fine<decltype(diagnose_gemm<C, A, B, Alpha, Beta>())>
    constexpr auto operator()(C c, A a, B b, Alpha alpha = {}, Beta beta = {}, const char* file = __builtin_FILE(), unsigned line = __builtin_LINE()) const {
        return library_node(blas_routine::gemm<is_transposed<A>, is_transposed<B>>{}, handle, at_place(file, line), c, extent_of(c), memory_of(a), extent_of(a), memory_of(b), extent_of(b), factor_of<memory_element_t<C>>(alpha), factor_of<memory_element_t<C>>(beta));
    }
    template <class... A>
        requires(!is_fine<decltype(diagnose_gemm<A...>())>)
    auto operator()(A const&...) const -> decltype(mistake_of<gemm_function, A...>(explain_library_call<blas::gemm, A...>(diagnose_gemm<A...>())));
};

template <class C = void, class A = void, class B = void, class Count = void, class Alpha = one, class Beta = zero, class... More>
constexpr auto diagnose_batched_gemm() {
    if constexpr (result_memory<C> && given_matrix<A> && given_matrix<B> && is_count<Count> && is_factor<Alpha> && is_factor<Beta> && sizeof...(More) == 0)
        return diagnose_with_beta<blas_routine::batched_gemm<false, false>, C, Beta, memory_of_t<A>, memory_of_t<B>, Alpha>();
    else
        return not_called_so{};
}
// batched_gemm(inout(C), in(A), in(B), count, alpha, beta): the same for count matrices, one after the other in memory.
template <class Handle>
struct batched_gemm_function {
    [[no_unique_address]] Handle handle;
    template <class C, class A, class B, class Count, class Alpha = one, class Beta = zero>
        requires is_fine<decltype(diagnose_batched_gemm<C, A, B, Count, Alpha, Beta>())>
    constexpr auto operator()(C c, A a, B b, Count count, Alpha alpha = {}, Beta beta = {}, const char* file = __builtin_FILE(), unsigned line = __builtin_LINE()) const {
        return library_node(blas_routine::batched_gemm<is_transposed<A>, is_transposed<B>>{}, handle, at_place(file, line), c, extent_of(c), memory_of(a), extent_of(a), memory_of(b), extent_of(b), count_of(count), factor_of<memory_element_t<C>>(alpha), factor_of<memory_element_t<C>>(beta));
    }
    template <class... A>
        requires(!is_fine<decltype(diagnose_batched_gemm<A...>())>)
    auto operator()(A const&...) const -> decltype(mistake_of<batched_gemm_function, A...>(explain_library_call<blas::batched_gemm, A...>(diagnose_batched_gemm<A...>())));
};

template <class X = void, class M = void, class Half = void, class... More>
constexpr auto diagnose_trsv() {
    if constexpr (result_memory<X> && given_matrix<M> && is_triangle<Half> && sizeof...(More) == 0)
        return diagnose_updated<blas_routine::trsv<blas_routine::half::lower, false, false>, X, memory_of_t<M>>();
    else
        return not_called_so{};
}
// trsv(inout(x), in(A), lower): solves A * y = x, and x = y. Only one half of A is read.
template <class Handle>
struct trsv_function {
    [[no_unique_address]] Handle handle;
    template <class X, class M, class Half>
        requires is_fine<decltype(diagnose_trsv<X, M, Half>())>
    constexpr auto operator()(X x, M matrix, Half half, const char* file = __builtin_FILE(), unsigned line = __builtin_LINE()) const {
        return library_node(trsv_of(half, matrix), handle, at_place(file, line), x, extent_of(x), memory_of(matrix), extent_of(matrix));
    }
    template <class... A>
        requires(!is_fine<decltype(diagnose_trsv<A...>())>)
    auto operator()(A const&...) const -> decltype(mistake_of<trsv_function, A...>(explain_library_call<blas::trsv, A...>(diagnose_trsv<A...>())));
};

}  // namespace cograph::core
