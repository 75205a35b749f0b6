// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cograph/libraries/blas/blas_routines.hpp>

namespace cograph::core {

template <class Y = void, class X = void, class Alpha = one, class... More>
constexpr auto diagnose_axpy() {
    if constexpr (result_memory<Y> && memory_input<X> && is_factor<Alpha> && sizeof...(More) == 0)
        return diagnose_updated<blas_routine::axpy, Y, X, Alpha>();
    else
        return not_called_so{};
}
// axpy(inout(y), in(x), alpha): y = alpha * x + y.
template <class Handle>
struct axpy_function {
    [[no_unique_address]] Handle handle;
    template <class Y, class X, class Alpha = one>
        requires is_fine<decltype(diagnose_axpy<Y, X, Alpha>())>
    constexpr auto operator()(Y y, X x, Alpha alpha = {}, const char* file = __builtin_FILE(), unsigned line = __builtin_LINE()) const {
        return library_node(blas_routine::axpy{}, handle, at_place(file, line), y, extent_of(y), x, extent_of(x), factor_of<memory_element_t<Y>>(alpha));
    }
    template <class... A>
        requires(!is_fine<decltype(diagnose_axpy<A...>())>)
    auto operator()(A const&...) const -> decltype(mistake_of<axpy_function, A...>(explain_library_call<blas::axpy, A...>(diagnose_axpy<A...>())));
};

template <class X = void, class Alpha = void, class... More>
constexpr auto diagnose_scal() {
    if constexpr (result_memory<X> && is_factor<Alpha> && sizeof...(More) == 0)
        return diagnose_updated<blas_routine::scal, X, Alpha>();
    else
        return not_called_so{};
}
// scal(inout(x), alpha): x = alpha * x.
template <class Handle>
struct scal_function {
    [[no_unique_address]] Handle handle;
    template <class X, class Alpha>
        requires is_fine<decltype(diagnose_scal<X, Alpha>())>
    constexpr auto operator()(X x, Alpha alpha, const char* file = __builtin_FILE(), unsigned line = __builtin_LINE()) const {
        return library_node(blas_routine::scal{}, handle, at_place(file, line), x, extent_of(x), factor_of<memory_element_t<X>>(alpha));
    }
    template <class... A>
        requires(!is_fine<decltype(diagnose_scal<A...>())>)
    auto operator()(A const&...) const -> decltype(mistake_of<scal_function, A...>(explain_library_call<blas::scal, A...>(diagnose_scal<A...>())));
};

template <class S = void, class X = void, class Y = void, class... More>
constexpr auto diagnose_dot() {
    if constexpr (result_scalar<S> && memory_input<X> && memory_input<Y> && sizeof...(More) == 0)
        return diagnose_elements_of_call<blas_routine::dot, S, X, Y>();
    else
        return not_called_so{};
}
// dot(out(s), in(x), in(y)): s = the sum of x[i] * y[i].
template <class Handle>
struct dot_function {
    [[no_unique_address]] Handle handle;
    template <class S, class X, class Y>
        requires is_fine<decltype(diagnose_dot<S, X, Y>())>
    constexpr auto operator()(S result, X x, Y y, const char* file = __builtin_FILE(), unsigned line = __builtin_LINE()) const {
        return library_node(blas_routine::dot{}, handle, at_place(file, line), result, x, extent_of(x), y, extent_of(y));
    }
    template <class... A>
        requires(!is_fine<decltype(diagnose_dot<A...>())>)
    auto operator()(A const&...) const -> decltype(mistake_of<dot_function, A...>(explain_library_call<blas::dot, A...>(diagnose_dot<A...>())));
};

template <class S = void, class X = void, class... More>
constexpr auto diagnose_nrm2() {
    if constexpr (result_scalar<S> && memory_input<X> && sizeof...(More) == 0)
        return diagnose_elements_of_call<blas_routine::nrm2, S, X>();
    else
        return not_called_so{};
}
// nrm2(out(s), in(x)): s = the root of the sum of x[i] * x[i].
template <class Handle>
struct nrm2_function {
    [[no_unique_address]] Handle handle;
    template <class S, class X>
        requires is_fine<decltype(diagnose_nrm2<S, X>())>
    constexpr auto operator()(S result, X x, const char* file = __builtin_FILE(), unsigned line = __builtin_LINE()) const {
        return library_node(blas_routine::nrm2{}, handle, at_place(file, line), result, x, extent_of(x));
    }
    template <class... A>
        requires(!is_fine<decltype(diagnose_nrm2<A...>())>)
    auto operator()(A const&...) const -> decltype(mistake_of<nrm2_function, A...>(explain_library_call<blas::nrm2, A...>(diagnose_nrm2<A...>())));
};

}  // namespace cograph::core
