// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cograph/expr/node/kernel_arguments.hpp>
#include <cograph/expr/reasons/control_reasons.hpp>
#include <cograph/expr/variable/narrow_extent.hpp>

namespace cograph::core {

// The code of an opaque node: a __global__ function, and its form for the host where there is one.
template <auto F, auto Host>
struct function_code {};

// Whether a function can be the host form of another: both must take the same.
template <class Host, class Parameters>
inline constexpr bool is_host_form = std::is_null_pointer_v<Host>;
template <class Host, class Parameters>
    requires requires { typename signature<Host>::parameters; }
inline constexpr bool is_host_form<Host, Parameters> = std::is_same_v<typename signature<Host>::parameters, Parameters>;

enum class kernel_fault : unsigned char { none, no_kernel, no_shape, other_host_form, parameter_count, parameter_bytes, arguments };

// What is wrong with a call of kernels of these types; shared by all of them.
template <class Function, class Host, class Shape, class... A>
struct kernel_call {
    static constexpr kernel_fault fault = kernel_fault::no_kernel;
};
template <class... P, class Host, class Shape, class... A>
struct kernel_call<void (*)(P...), Host, Shape, A...> {
    static constexpr int bytes = parameter_size<P...>();
    static constexpr kernel_fault fault = !launch_shape_type<Shape>                         ? kernel_fault::no_shape
                                          : !is_host_form<Host, list<P...>>                 ? kernel_fault::other_host_form
                                          : sizeof...(P) > most_parameters                  ? kernel_fault::parameter_count
                                          : bytes > most_parameter_bytes                    ? kernel_fault::parameter_bytes
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
    else if constexpr (call::fault == kernel_fault::no_shape)
        return not_a_shape<Shape>{};
    else if constexpr (call::fault == kernel_fault::other_host_form)
        return host_form_differs<kernel_function<F>, kernel_function<Host>>{};
    else if constexpr (call::fault == kernel_fault::parameter_count)
        return too_many_parameters<kernel_function<F>, takes_parameters<signature<decltype(F)>::count>, limit_is<most_parameters>>{};
    else if constexpr (call::fault == kernel_fault::parameter_bytes)
        return parameters_are_too_large<kernel_function<F>, parameter_bytes<call::bytes>, limit_is<most_parameter_bytes>>{};
    else
        return diagnose_arguments<F>(typename signature<decltype(F)>::parameters{}, list<A...>{});
}

template <bool OverElements>
inline constexpr node_traits kernel_traits{.is_opaque = true, .takes_shape = true};
template <>
inline constexpr node_traits kernel_traits<true>{.rule = "per_element", .is_opaque = true, .size = &size_over_elements, .takes_shape = true, .counts_elements = true};

template <auto F, auto Host, class Shape, class... A>
struct kernel_node {
    using self = kernel_node;
    using children = list<>;
    using codes = list<function_code<F, Host>>;
    using arguments = list<A...>;
    using kept_type = kept_pieces<kept_part_t<A>...>;
    static constexpr int leaves = 1;
    static constexpr node_spec tree{.kind = spec_kind::work,
                               .name = function_name<F>(),
                               .traits = &kernel_traits<Shape::counts_elements>,
                               .arguments = arguments_as<typename signature<decltype(F)>::parameters, A...>,
                               .argument_count = sizeof...(A),
                               .domain = Shape::domain::describe,
                               .identity = &identity_of_function<F>,
                               .device_only = std::is_null_pointer_v<decltype(Host)>};
    record records[1];
    [[no_unique_address]] kept_type kept;
};

template <auto F, auto Host, class Shape, class... A>
word<kernel_function<F>> word_of(const kernel_node<F, Host, Shape, A...>*);
template <auto F, auto Host, class Shape, class... A>
list<A..., Shape> operands_of(const kernel_node<F, Host, Shape, A...>*);

// A kernel with its shape, waiting for its arguments.
template <auto F, auto Host, class Shape>
struct shaped_kernel {
    record where;

    template <class... A>
    constexpr auto operator()(A... arguments) const {
        using call = fitted<typename signature<decltype(F)>::parameters, A...>;
        return typename call::template node<F, Host, Shape>{{where}, call::keep(arguments...)};
    }
    template <class... A>
        requires is_wrong_call<decltype(F), decltype(Host), Shape, A...>
    auto operator()(A...) const -> decltype(mistake_of<struct kernel_call_of, function_code<F, Host>, Shape, A...>(diagnose_kernel<F, Host, Shape, A...>()));
};

// A kernel waiting for its shape.
template <auto F, auto Host>
struct kernel_t {
    template <class Shape>
    constexpr shaped_kernel<F, Host, bare_shape_t<Shape>> operator()(Shape shape, const char* file = __builtin_FILE(),
                                                       unsigned line = __builtin_LINE()) const {
        return {{nullptr, file, line, values_of(shape)}};
    }
    template <class... A>
    auto operator()(A const&...) const -> mistake<shape_is_missing<kernel_function<F>>, struct call_it_with_a_shape_and_then_with_its_arguments>;
};

template <auto F, auto Host, class Shape>
arguments_are_missing<kernel_function<F>> why_no_expression(const shaped_kernel<F, Host, Shape>*);
template <auto F, auto Host>
shape_is_missing<kernel_function<F>> why_no_expression(const kernel_t<F, Host>*);

// A __global__ function as a node: kernel<f>(over(x))(in(x), out(y), 3). Pointers that are not marked follow the constness
// of the parameter. Host, an ordinary function with the same parameters, is what simulate calls instead.
template <auto F, auto Host = nullptr>
inline constexpr kernel_t<F, Host> kernel{};

}  // namespace cograph::core
