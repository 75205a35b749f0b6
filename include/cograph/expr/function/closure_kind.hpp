// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace cograph::core {

// Whether F is a lambda that nvcc calls on one side alone: one without an annotation, or for the device. Kernels take no type of
// the first kind, and of the second the host compiler sees nothing that could be called.
#ifdef __CUDACC__
// nvcc prints a closure as [with F=lambda [](float)->float].
constexpr bool names_a_lambda(const char* printed) {
    while (*printed && *printed != '=') ++printed;
    while (*printed == '=' || *printed == ' ') ++printed;
    const char* lambda = "lambda [";
    for (; *lambda; ++lambda, ++printed)
        if (*printed != *lambda) return false;
    return true;
}
template <class F>
constexpr bool is_lambda() {
    return names_a_lambda(__PRETTY_FUNCTION__);
}
// No lambda is an aggregate, and nearly every other function object is one: its name is not read.
template <class F>
inline constexpr bool is_for_one_side = false;
template <class F>
    requires(!__is_aggregate(F))
inline constexpr bool is_for_one_side<F> =
#ifdef __CUDACC_EXTENDED_LAMBDA__
    __nv_is_extended_device_lambda_closure_type(F) || (is_lambda<F>() && !__nv_is_extended_host_device_lambda_closure_type(F));
#else
    is_lambda<F>();
#endif
#else
template <class F>
inline constexpr bool is_for_one_side = false;
#endif

// Whether T is empty for every compiler: in place of a lambda that nvcc calls on both sides, the host compiler sees a type of nvcc's
// that is not.
#ifdef __CUDACC_EXTENDED_LAMBDA__
template <class T>
inline constexpr bool is_empty_type = __is_empty(T) && !__nv_is_extended_host_device_lambda_closure_type(T);
#else
template <class T>
inline constexpr bool is_empty_type = __is_empty(T);
#endif

}  // namespace cograph::core
