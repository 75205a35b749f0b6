// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cograph/expr/node/stage.hpp>
#include <cograph/expr/refused/algorithm/function_nodes.hpp>

namespace cograph::core {

template <class Stage, class Key, class Domain, class... A, class... V>
constexpr stage_node<Stage, Key, Domain, A...> make_stage(list<A...>, record where, V const&... values) {
    return {{where}, keep_pieces(keep_part<A>(values)...)};
}

// A stage that waits for its arguments; Lead... are the forms of the parameters before them.
template <class Stage, class Key, class Shape, class F>
struct element_stage {
    record where;
    F function;

    template <class... A>
    constexpr auto operator()(A... arguments) const {
        using domain = typename Shape::domain;
        if constexpr (takes_small_extents<F, 1, A...>)
            return with_small_extents<F, 1>(*this, arguments...);
        else if constexpr (is_stateless<F>)  // as make_stage does, without one function for each node
            return stage_node<stateless<Stage, F>, Key, domain, domain, as_argument_t<A>...>{
                {where}, keep_pieces(keep_part<domain>(0), keep_part<as_argument_t<A>>(arguments)...)};
        else
            return make_stage<Stage, Key, domain>(list<domain, given<F>, as_argument_t<A>...>{}, where, 0, function, arguments...);
    }
    template <class... A>
        requires(element_shape_type<Shape> && ((as_argument_t<A>::describe.near != nullptr) || ...) && is_fine<decltype(diagnose_box_call<1, F, as_argument_t<A>...>())>)
    constexpr auto operator()(A... arguments) const -> decltype(with_neighbours(*this, arguments...)) {
        return with_neighbours(*this, arguments...);
    }

    // Refused calls.
    template <class... A>
        requires(!(element_shape_type<Shape> && (((as_argument_t<A>::describe.near != nullptr) || ...) || element_call<F, as_argument_t<A>...>)))
    auto operator()(A...) const -> decltype(mistake_of<struct element_node, Stage, Key, Shape, F, A...>(diagnose_shaped_call<Shape, F, as_argument_t<A>...>()));
    template <class... A>
        requires(element_shape_type<Shape> && ((as_argument_t<A>::describe.near != nullptr) || ...) && !is_fine<decltype(diagnose_box_call<1, F, as_argument_t<A>...>())>)
    auto operator()(A...) const -> decltype(mistake_of<struct element_node, Stage, Key, Shape, F, A...>(diagnose_box_call<1, F, as_argument_t<A>...>()));
};

// f(i, arguments...) for every i in the shape: for_each(over(x), f)(in(p), in(x[each]), out(y[each])). Buffers arrive as
// pointers, x[each] as a reference to element i, scalars as references, values and views by value. Elements may run in any order and at once.
template <class Shape, class F>
constexpr element_stage<for_each_stage, F, Shape, F> for_each(Shape shape, F f, const char* file = __builtin_FILE(),
                                                              unsigned line = __builtin_LINE()) {
    return {{nullptr, file, line, values_of(shape)}, f};
}

template <class F>
struct single_task_builder {
    record where;
    F function;

    template <class... A>
    constexpr auto operator()(A... arguments) const {
        if constexpr (takes_small_extents<F, 0, A...>)
            return with_small_extents<F, 0>(*this, arguments...);
        else
            return make_stage<single_task_stage, F, grid_t::domain>(list<given<F>, as_argument_t<A>...>{}, where, function, arguments...);
    }

    // Refused calls.
    template <class... A>
        requires(!single_call<F, as_argument_t<A>...>)
    auto operator()(A...) const -> decltype(mistake_of<struct single_task_node, F, A...>(diagnose_single_call<F, as_argument_t<A>...>()));
};

// f(arguments...) in one thread: for the arithmetic between kernels.
template <class F>
constexpr single_task_builder<F> single_task(F f, const char* file = __builtin_FILE(), unsigned line = __builtin_LINE()) {
    return {{nullptr, file, line, grid(1).block(1).values}, f};
}

}  // namespace cograph::core
