// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cograph/expr/node/launch_shape.hpp>
#include <cograph/expr/reasons/control_reasons.hpp>
#include <cograph/expr/refused/node/kernel_arguments.hpp>

namespace cograph::core {

// Refused calls of kernels.

// Whether a function can be the host implementation of another: both must take the same.
template <class Host, class Parameters>
inline constexpr bool is_host_implementation = std::is_null_pointer_v<Host>;
template <class Host, class Parameters>
    requires requires { typename signature<Host>::parameters; }
inline constexpr bool is_host_implementation<Host, Parameters> = std::is_same_v<typename signature<Host>::parameters, Parameters>;

enum class kernel_fault : unsigned char { none, no_kernel, no_shape, other_host_implementation, parameter_count, parameter_bytes, arguments };

// The mistake in a call of kernels of these types; shared by all of them.
template <class Function, class Host, class Shape, class... A>
struct kernel_call {
    static constexpr kernel_fault fault = kernel_fault::no_kernel;
};
template <class... P, class Host, class Shape, class... A>
struct kernel_call<void (*)(P...), Host, Shape, A...> {
    static constexpr int bytes = parameter_size<P...>();
    static constexpr kernel_fault fault = !launch_shape_type<Shape> || is_for_function_objects<Shape> ? kernel_fault::no_shape
                                          : !is_host_implementation<Host, list<P...>>    ? kernel_fault::other_host_implementation
                                          : sizeof...(P) > most_parameters               ? kernel_fault::parameter_count
                                          : bytes > most_parameter_bytes                 ? kernel_fault::parameter_bytes
                                          : fitted<list<P...>, A...>::first_misfit != -1 ? kernel_fault::arguments
                                                                                         : kernel_fault::none;
};
template <class... P, class Host, class Shape, class... A>
struct kernel_call<void (*)(P...) noexcept, Host, Shape, A...> : kernel_call<void (*)(P...), Host, Shape, A...> {};

// Asked by each node: a variable, so that compilers answer once for each signature.
template <class Function, class Host, class Shape, class... A>
inline constexpr bool is_wrong_call = kernel_call<Function, Host, Shape, A...>::fault != kernel_fault::none;

template <auto F, auto Host, class Shape, class... A>
constexpr auto diagnose_kernel() {
    using call = kernel_call<decltype(F), decltype(Host), Shape, A...>;
    if constexpr (call::fault == kernel_fault::no_kernel)
        return not_a_kernel<decltype(F)>{};
    else if constexpr (has_groups<Shape>)
        return groups_are_for_for_each<kernel_function<F>>{};
    else if constexpr (has_length<Shape>)
        return lengths_are_for_library_nodes<kernel_function<F>>{};
    else if constexpr (call::fault == kernel_fault::no_shape)
        return not_a_shape<Shape>{};
    else if constexpr (call::fault == kernel_fault::other_host_implementation)
        return host_implementation_differs<kernel_function<F>, kernel_function<Host>>{};
    else if constexpr (call::fault == kernel_fault::parameter_count)
        return too_many_parameters<kernel_function<F>, takes_parameters<signature<decltype(F)>::count>, limit_is<most_parameters>>{};
    else if constexpr (call::fault == kernel_fault::parameter_bytes)
        return parameters_are_too_large<kernel_function<F>, parameter_bytes<call::bytes>, limit_is<most_parameter_bytes>>{};
    else
        return diagnose_arguments<F>(typename signature<decltype(F)>::parameters{}, list<A...>{});
}

template <auto F, auto Host, class Shape>
struct shaped_kernel;
template <auto F, auto Host>
struct kernel_t;
template <auto F, auto Host, class Shape>
arguments_are_missing<kernel_function<F>> why_no_expression(const shaped_kernel<F, Host, Shape>*);
template <auto F, auto Host>
shape_is_missing<kernel_function<F>> why_no_expression(const kernel_t<F, Host>*);

}  // namespace cograph::core
