// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cograph/expr/node/kernel_arguments.hpp>
#include <cograph/expr/refused/node/kernel.hpp>

namespace cograph::core {

// The code of an opaque node: a __global__ function, and its host implementation if there is one.
template <auto F, auto Host>
struct function_code {};

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

    // Refused calls.
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

    // Refused calls.
    template <class... A>
    auto operator()(A const&...) const -> mistake<shape_is_missing<kernel_function<F>>, struct call_it_with_a_shape_and_then_with_its_arguments>;
};

// A __global__ function as a node: kernel<f>(over(x))(in(x), out(y), 3). Unmarked pointers follow the constness of
// the parameter. Host, an ordinary function with the same parameters, is called by simulate instead.
template <auto F, auto Host = nullptr>
inline constexpr kernel_t<F, Host> kernel{};

}  // namespace cograph::core
