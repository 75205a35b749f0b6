// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cograph/expr/payload.hpp>
#include <cograph/expr/shape.hpp>

#include <concepts>

namespace cograph {

// The code of an opaque node: a __global__ function, and its form for the host where there is one.
template <auto F, auto Host>
struct function_code {};

template <class F>
struct signature;
template <class... P>
struct signature<void (*)(P...)> {
    using parameters = list<P...>;
    static constexpr int count = sizeof...(P);
};

enum class fitness : unsigned char { fits, differs, writes_const, lacks_mark };

// Whether argument A, as the user wrote it, can be passed to a parameter of type P, and the form in which a node holds it.
template <class P, class A>
struct fit {
    using type = given<std::remove_cv_t<P>>;
    static constexpr fitness result = std::is_convertible_v<A, P> ? fitness::fits : fitness::differs;
};
template <class P, mark A>
    requires(in_memory<typename A::variable> && !A::describe.each)
struct fit<P, A> {
    using type = A;
    using pointee = std::remove_pointer_t<P>;
    static constexpr fitness result =
        !std::is_pointer_v<P> || !std::is_same_v<std::remove_const_t<pointee>, typename A::element> ? fitness::differs
        : std::is_const_v<pointee> && writes(A::describe.access)                                    ? fitness::writes_const
                                                                                                    : fitness::fits;
};
template <class P, mark A>
    requires by_value<typename A::variable>
struct fit<P, A> {
    using type = A;
    static constexpr fitness result =
        std::is_same_v<std::remove_cv_t<P>, typename A::element> ? fitness::fits : fitness::differs;
};
template <class P, in_memory V>
struct fit<P, V> {
    using type = std::conditional_t<std::is_const_v<std::remove_pointer_t<P>>, in_t<V>, inout_t<V>>;
    static constexpr fitness result = fit<P, type>::result;
};
template <class P, by_value V>
struct fit<P, V> {
    using type = in_t<V>;
    static constexpr fitness result =
        V::kind == variable_kind::view ? fitness::lacks_mark : fit<P, in_t<V>>::result;
};
template <class P, class V>
struct fit<P, extent_t<V>> {
    using type = extent_t<V>;
    static constexpr fitness result =
        std::is_integral_v<P> && (sizeof(P) == 4 || sizeof(P) == 8) ? fitness::fits : fitness::differs;
};

// The arguments A... of a call against parameters P...; shared by all kernels with such parameters.
template <class Parameters, class... A>
struct fitted {
    static constexpr int first_misfit = -2;  // another number of arguments
};
template <class... P, class... A>
    requires(sizeof...(P) == sizeof...(A))
struct fitted<list<P...>, A...> {
    static constexpr int find() {
        constexpr fitness results[] = {fit<P, A>::result..., fitness::fits};
        for (int i = 0; i < static_cast<int>(sizeof...(P)); ++i)
            if (results[i] != fitness::fits) return i;
        return -1;
    }
    static constexpr int first_misfit = find();
    template <template <class...> class Holder>
    using held = Holder<typename fit<P, A>::type...>;
    static constexpr auto keep(A const&... arguments) { return keep_pieces(keep_part<typename fit<P, A>::type>(arguments)...); }
};

// The first argument that does not fit, as a reason.
template <auto F, int I, class P, class A, fitness Result>
struct misfit {
    using type = argument_does_not_fit<identity_function<F>, I, P, A>;
};
template <auto F, int I, class P, class A>
struct misfit<F, I, P, A, fitness::writes_const> {
    using type = writes_through_const<identity_function<F>, I, P, A>;
};
template <auto F, int I, class P, class A>
struct misfit<F, I, P, A, fitness::lacks_mark> {
    using type = mark_is_missing<identity_function<F>, A>;
};

template <auto F, class Parameters, class... A>
struct diagnose_arguments {
    using type = argument_count_differs<identity_function<F>, signature<decltype(F)>::count, sizeof...(A)>;
};
template <auto F, class... P, class... A>
    requires(sizeof...(P) == sizeof...(A))
struct diagnose_arguments<F, list<P...>, A...> {
    static constexpr int at = fitted<list<P...>, A...>::first_misfit;
    using parameter = typename pick_type<at, P...>::type;
    using argument = typename pick_type<at, A...>::type;
    using type = typename misfit<F, at + 1, parameter, argument, fit<parameter, argument>::result>::type;
};

template <auto F, auto Host, class Shape, class... A>
struct kernel_node {
    using self = kernel_node;
    using children = list<>;
    using codes = list<function_code<F, Host>>;
    using arguments = list<A...>;
    using kept_type = kept_pieces<kept_part_t<A>...>;
    static constexpr int leaves = 1;
    static constexpr seed tree{.kind = seed_kind::work,
                               .name = function_name<F>(),
                               .arguments = arguments_of<A...>,
                               .argument_count = sizeof...(A),
                               .domain = Shape::domain::describe,
                               .rule = Shape::rule,
                               .identity = &identity_of_function<F>,
                               .opaque = true};
    record records[1];
    [[no_unique_address]] kept_type kept;
};

template <auto F, auto Host, class Shape>
struct shaped_kernel {
    record where;

    template <class... A>
    constexpr auto operator()(A... arguments) const {
        using parameters = typename signature<decltype(F)>::parameters;
        using call = fitted<parameters, A...>;
        if constexpr (call::first_misfit == -1) {
            return typename call::template held<node>{{where}, call::keep(arguments...)};
        } else {
            static_cast<void>(require<typename diagnose_arguments<F, parameters, A...>::type>{});
            return node<>{{where}, {}};
        }
    }

private:
    template <class... A>
    using node = kernel_node<F, Host, Shape, A...>;
};

template <auto F, auto Host>
struct kernel_t {
    template <class Shape>
    constexpr shaped_kernel<F, Host, Shape> operator()(Shape shape, const char* file = __builtin_FILE(),
                                                       unsigned line = __builtin_LINE()) const {
        return {{nullptr, file, line, shape.values}};
    }
};

// A __global__ function as a node: kernel<f>(over(x))(in(x), out(y), 3). Pointers that are not marked follow the constness
// of the parameter. Host, an ordinary function with the same parameters, is what simulate calls instead.
template <auto F, auto Host = nullptr>
inline constexpr kernel_t<F, Host> kernel{};

}  // namespace cograph
